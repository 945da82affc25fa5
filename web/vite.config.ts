import { defineConfig } from "vitest/config";

// The screens are served by `croupier serve` from its package; nothing of Node remains.
export default defineConfig({
  logLevel: "warn",
  build: {
    outDir: "../src/croupier/floor/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // Tests read the documents beside this folder.
    fs: { allow: [".."] },
    proxy: {
      "/api": { target: process.env.CROUPIER_URL ?? "http://127.0.0.1:8000", ws: true },
    },
  },
  test: { environment: "happy-dom", include: ["tests/**/*.test.{ts,tsx}", "src/**/*.test.{ts,tsx}"] },
});
