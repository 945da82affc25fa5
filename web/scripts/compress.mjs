// Compressed copies of what the server sends often, so that it compresses nothing itself.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = new URL("../../src/croupier/floor/static/", import.meta.url);
for (const name of await readdir(root, { recursive: true })) {
  if (!/\.(js|css|html|svg|json)$/.test(name)) continue;
  const file = new URL(name, root);
  const bytes = await readFile(file);
  await writeFile(new URL(`${file.href}.gz`), gzipSync(bytes, { level: 9 }));
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  await writeFile(new URL(`${file.href}.br`), brotliCompressSync(bytes, { params: quality }));
}
