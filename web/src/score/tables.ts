/** What deals pay under each rule set of the catalogue, as the rules' own engine says (`rules/paytable.py`). */
import type { PayTable } from "../wire.ts";
import listed from "./payoffs.json" with { type: "json" };

export const tables = listed as PayTable[];
