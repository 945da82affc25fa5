/** The page of a house: finds out who is there, and shows the screen of the address. */
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./draw/draw.css";
import { render } from "preact";
import { App } from "./app/App";
import { begin } from "./app/session";
import { followArrows } from "./parts/radios";
import { keepUncovered } from "./parts/uncovered";

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
followArrows(document);
keepUncovered(document);
void begin();
