/** A table as the floor calls it; whoever keeps devices also needs the name that commands use. */
import { tableWords } from "../../i18n/tables";

export function TableName({ name }: { name: string }) {
  const called = tableWords(name);
  if (called === name) return <>{name}</>;
  return (
    <span class="twol">
      {called}
      <small>{name}</small>
    </span>
  );
}
