import { card, cardBack, type Deck } from "../draw/cards";
import { Svg } from "../draw/Svg";
import type { Language as DrawLanguage } from "../draw/svg";
import { settings } from "../state/settings";

export function drawLanguage(): DrawLanguage {
  const { language } = settings.value;
  return language === "zh-Hans" ? "zh" : language;
}

/** A card by its face, such as `TD` or `4-Gold`; null lies face down. */
export function Card(props: { face: string | null; deck?: Deck; across?: boolean; compact?: boolean; class?: string }) {
  const language = drawLanguage();
  const across = props.across ?? false;
  const drawn =
    props.face === null
      ? cardBack(props.deck ?? 52, { across, language })
      : card(props.face, {
          across,
          language,
          detail: props.compact ? "compact" : "full",
          fourColours: settings.value.fourColours,
        });
  return <Svg of={drawn} class={props.class} />;
}
