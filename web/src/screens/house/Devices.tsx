/** The registered devices: where they are, who registered them, when they last asked; registering, moving, retiring. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { post } from "../../api/http";
import type { Command, Schemas } from "../../api/types";
import { say as common } from "../../i18n/common";
import { clock, day } from "../../i18n/money";
import { tableWords } from "../../i18n/tables";
import { useActing } from "../../parts/acting";
import { Dialog } from "../../parts/Dialog";
import { type Column, Listing } from "../../parts/Listing";
import { Trouble } from "../../parts/Trouble";
import { useLoaded } from "../../state/loaded";
import { useTables } from "../../state/table";
import { inOrderOfTables } from "../../state/tables";
import { useAsked } from "./asked";
import { say } from "./say";
import { TableName } from "./TableName";
import { DEVICE_KINDS, type DeviceKind, tableOf } from "./work";

type DeviceShown = Schemas["DeviceShown"];
type DeviceStatus = Schemas["DeviceStatus"];
type DeviceToken = Schemas["DeviceToken"];

const FRESH_MS = 5_000;

const kindName = (kind: DeviceKind): string => say(`device.${kind}`);
const when = (moment: string): string => `${day(moment)} ${clock(moment)}`;
const stamped = ({ moment, by }: DeviceShown["registered"]): string => say("stamped", { time: when(moment), name: by });

function TableField(props: { label: string; value: string; onValue: (table: string) => void }) {
  const tables = inOrderOfTables(Object.keys(useTables().value?.view ?? {}), (name) => name);
  const called = (name: string): string => [...new Set([tableWords(name), name])].join(" · ");
  return (
    <label class="fld">
      {props.label}
      <select class="in" value={props.value} onChange={(event) => props.onValue(event.currentTarget.value)}>
        <option value="">{say("noTable")}</option>
        {tables.map((name) => (
          <option key={name} value={name}>
            {called(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Register(props: { onDone: () => void; onBack: () => void }) {
  const name = useSignal("");
  const kind = useSignal<DeviceKind>("shoe");
  const table = useSignal("");
  const { act, sending, problem } = useActing("accounts");
  const register = async (event: Event): Promise<void> => {
    event.preventDefault();
    const command: Command = { type: "register_device", device: name.value.trim(), kind: kind.value, table: tableOf(table.value) };
    if ((await act(command)) !== null) props.onDone();
  };
  return (
    <Dialog title={say("registerTitle")} onBack={props.onBack}>
      <form class="stack16" onSubmit={(event) => void register(event)}>
        <label class="fld">
          {say("deviceName")}
          <input class="in" required autocomplete="off" value={name.value} onInput={(event) => void (name.value = event.currentTarget.value)} />
        </label>
        <label class="fld">
          {say("deviceKind")}
          <select class="in" value={kind.value} onChange={(event) => void (kind.value = event.currentTarget.value as DeviceKind)}>
            {DEVICE_KINDS.map((one) => (
              <option key={one} value={one}>
                {kindName(one)}
              </option>
            ))}
          </select>
        </label>
        <TableField label={say("table")} value={table.value} onValue={(one) => void (table.value = one)} />
        <Trouble problem={problem} />
        <div class="row">
          <button type="button" class="btn quiet" onClick={props.onBack}>
            {common("back")}
          </button>
          <button class="btn primary grow" disabled={sending}>
            {say("register")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** What is due from a device in use, as its table stands. */
function State({ device }: { device: string }) {
  const [loaded] = useLoaded<DeviceStatus>(`/devices/${encodeURIComponent(device)}`, FRESH_MS);
  const found = loaded.value.value;
  if (found === null) return <Trouble problem={loaded.value.problem} />;
  const unreported = found.unreported ?? 0;
  return (
    <p role="status">
      {say(found.due ? "due" : "notDue")}
      {unreported > 0 && ` · ${say("unreported", { n: unreported })}`}
    </p>
  );
}

function Token({ device, onDone }: { device: string; onDone: () => void }) {
  const { value, problem, sending, ask } = useAsked<DeviceToken>();
  const issue = (): Promise<void> => ask(() => post<DeviceToken>(`/devices/${encodeURIComponent(device)}/token`)).then(onDone);
  return (
    <div class="stack8">
      <button class="btn" disabled={sending.value} onClick={() => void issue()}>
        {say("newToken")}
      </button>
      <p class="sm muted">{say("tokenNote")}</p>
      <Trouble problem={problem.value} />
      {value.value !== null && (
        <output class="mono" aria-label={say("token")}>
          {value.value.token}
        </output>
      )}
    </div>
  );
}

function Tend(props: { device: DeviceShown; onDone: () => void; onChanged: () => void; onBack: () => void }) {
  const { name, kind, table } = props.device;
  const to = useSignal(table ?? "");
  const reason = useSignal("");
  const { act, sending, problem } = useActing("accounts");
  const order = async (event: Event, command: Command): Promise<void> => {
    event.preventDefault();
    if ((await act(command)) !== null) props.onDone();
  };
  const same = to.value === (table ?? "");
  const move = (event: Event): void => void order(event, { type: "move_device", device: name, table: tableOf(to.value) });
  const retire = (event: Event): void => void order(event, { type: "retire_device", device: name, reason: reason.value.trim() });
  const foot = (
    <>
      <span class="sp" />
      <button class="btn" onClick={props.onBack}>
        {common("close")}
      </button>
    </>
  );
  return (
    <Dialog title={name} above={<span class="tag">{kindName(kind)}</span>} onBack={props.onBack} foot={foot}>
      <div class="stack16">
        <State device={name} />
        <form class="stack8" onSubmit={move}>
          <TableField label={say("moveTo")} value={to.value} onValue={(one) => void (to.value = one)} />
          {same && (
            <p class="xs muted" id="move-same">
              {say("standsThere")}
            </p>
          )}
          <button class="btn" disabled={sending || same} aria-describedby={same ? "move-same" : undefined}>
            {say("move")}
          </button>
        </form>
        <form class="stack8" onSubmit={retire}>
          <label class="fld">
            {say("retireWhy")}
            <input class="in" required value={reason.value} onInput={(event) => void (reason.value = event.currentTarget.value)} />
          </label>
          <button class="btn" disabled={sending}>
            {say("retire")}
          </button>
        </form>
        <Trouble problem={problem} />
        <Token device={name} onDone={props.onChanged} />
      </div>
    </Dialog>
  );
}

function columnsOf(tend: (name: string) => void): Column<DeviceShown>[] {
  return [
    { name: say("name"), cell: ({ name }) => name, words: true },
    { name: say("deviceKind"), cell: ({ kind }) => kindName(kind), words: true },
    { name: say("table"), cell: ({ table, retired }) => (retired !== null ? "" : table === null ? say("noTable") : <TableName name={table} />), words: true },
    { name: say("registered"), cell: ({ registered }) => stamped(registered), words: true, wraps: true },
    { name: say("lastSeen"), cell: ({ seen }) => (seen === null ? say("notSeen") : when(seen)), words: true },
    { name: say("token"), cell: ({ token, retired }) => (retired === null ? say(token ? "hasToken" : "noToken") : ""), words: true },
    {
      name: say("tend"),
      words: true,
      wraps: true,
      cell: ({ name, retired }) =>
        retired === null ? (
          <button class="btn small" aria-label={say("tendOf", { device: name })} aria-haspopup="dialog" onClick={() => tend(name)}>
            {say("tend")}
          </button>
        ) : (
          say("retiredAt", { stamp: stamped(retired) })
        ),
    },
  ];
}

export function Devices() {
  const [loaded, again] = useLoaded<DeviceShown[]>("/devices", FRESH_MS);
  const open = useSignal<{ tends: string } | "register" | null>(null);
  const devices = loaded.value.value ?? [];
  const back = (): void => void (open.value = null);
  const done = (): void => {
    back();
    again();
  };
  const at = open.value;
  const tended = at === null || at === "register" ? undefined : devices.find(({ name, retired }) => name === at.tends && retired === null);
  const gone = at !== null && at !== "register" && loaded.value.value !== null && tended === undefined;
  // Somebody else retired it meanwhile.
  useEffect(() => {
    if (gone) back();
  }, [gone]);
  return (
    <section class="pan" aria-labelledby="house-devices">
      <header>
        <h3 id="house-devices">{say("devices")}</h3>
        <button class="btn small end" aria-haspopup="dialog" onClick={() => void (open.value = "register")}>
          {say("registerTitle")}
        </button>
      </header>
      <Trouble problem={loaded.value.problem} />
      <Listing
        label={say("devices")}
        columns={columnsOf((name) => void (open.value = { tends: name }))}
        rows={devices}
        keyOf={({ name }) => name}
        none={loaded.value.value === null ? say("nobody") : say("noDevices")}
      />
      {at === "register" && <Register onDone={done} onBack={back} />}
      {tended !== undefined && <Tend device={tended} onDone={done} onChanged={again} onBack={back} />}
    </section>
  );
}
