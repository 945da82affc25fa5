/** What a report says beside its situation, field by field. */
type Said = string | number | boolean;

const isSaid = (value: unknown): value is Said => ["string", "number", "boolean"].includes(typeof value);

/** Fields that say something, each with its values. */
export function saidOf(about: object): [string, Said[]][] {
  return Object.entries(about).flatMap(([name, value]): [string, Said[]][] => {
    if (name === "situation" || name === "type") return [];
    const values = (Array.isArray(value) ? value : [value]).filter(isSaid);
    return values.length === 0 ? [] : [[name, values]];
  });
}
