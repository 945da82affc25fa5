// Types of the wire, made from the documents of the API; both land in src/api/generated/.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const docs = new URL("../../docs/", import.meta.url);
const target = new URL("../src/api/generated/", import.meta.url);
const read = async (name) => JSON.parse(await readFile(new URL(name, docs), "utf8"));
const write = async (name, document) => {
  const ast = await openapiTS(document, { emptyObjectsUnknown: true, defaultNonNullable: false });
  await writeFile(new URL(name, target), `// Made by scripts/types.mjs.\n${astToString(ast)}`);
};

await mkdir(target, { recursive: true });
await write("http.ts", await read("openapi.json"));
// The schemas of an AsyncAPI document are JSON schemas, as those of OpenAPI 3.1 are.
const { info, components } = await read("asyncapi.json");
await write("socket.ts", {
  openapi: "3.1.0",
  info,
  paths: {},
  components: { schemas: components.schemas },
});
