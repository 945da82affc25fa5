/** Names of the wire's shapes, as the documents of the API have them. */
import type { components as Http } from "./generated/http";
import type { components as Socket } from "./generated/socket";

type H = Http["schemas"];
type S = Socket["schemas"];

export type PublicView = S["PublicView"];
export type PatronView = S["PatronView"];
export type DealerView = S["DealerView"];
export type PitView = S["PitView"];
export type AuditorView = S["AuditorView"];
/** A table as somebody sees it: the public view and at most one part more. */
export type TableView = PublicView & {
  own?: S["OwnPart"];
  dealer?: S["DealerPart"];
  pit?: S["PitPart"];
  auditor?: S["AuditorPart"];
};
export type OwnPart = S["OwnPart"];
export type DealerPart = S["DealerPart"];
export type PitPart = S["PitPart"];
export type AuditorPart = S["AuditorPart"];
/** A command that is open to somebody now, with what it needs. */
export type Open = S["Open"];
export type Field = S["Field"];
export type WagerShown = S["WagerShown"];
export type AreaShown = S["AreaShown"];
export type HandShown = S["HandShown"];
export type CardShown = S["CardShown"];
export type MendedShown = S["MendedShown"];
export type ResultShown = S["ResultShown"];
export type OwnStake = S["OwnStake"];
export type OwnLine = S["OwnLine"];
export type OwnedStake = S["OwnedStake"];
export type PatronLine = S["PatronLine"];
export type Phase = S["Phase"];
export type Side = S["Side"];
export type StaffPosition = S["StaffPosition"];
export type Situation = S["Situation"];
export type TableSummary = H["TableSummary"];
export type Problem = H["Problem"];
export type Actor = H["Actor"];
export type Heard = S["Heard"];
export type Wallet = H["Wallet"];
export type StaffRound = H["StaffRound"];
export type StaffRoundInSteps = H["StaffRoundInSteps"];
export type OwnRound = H["OwnRound"];
export type OwnRoundInSteps = H["OwnRoundInSteps"];
export type RoundStep = H["RoundStep"];
export type GameRules = H["GameRules"];
export type OddsFigures = H["OddsFigures"];
export type Previewed = H["Previewed"];
export type ShoeKnown = H["ShoeKnown"];
export type Schemas = H;
export type SocketSchemas = S;

/** A command as the wire has it: its name, and whatever it says. */
export type Command = { type: string } & Record<string, unknown>;
