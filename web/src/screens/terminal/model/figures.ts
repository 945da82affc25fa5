/** Amounts in words, as a ticket writes them. */
const ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"];
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: readonly [number, string][] = [
  [1_000_000_000, "billion"],
  [1_000_000, "million"],
  [1_000, "thousand"],
  [100, "hundred"],
];

function english(value: number): string {
  for (const [size, name] of SCALES) {
    if (value < size) continue;
    const rest = value % size;
    return `${english(Math.floor(value / size))} ${name}${rest === 0 ? "" : ` ${english(rest)}`}`;
  }
  if (value < 20) return ONES[value] ?? "";
  const rest = value % 10;
  return `${TENS[Math.floor(value / 10)] ?? ""}${rest === 0 ? "" : `-${ONES[rest] ?? ""}`}`;
}

const DIGITS = "零壹贰叁肆伍陆柒捌玖";
const PLACES = ["", "拾", "佰", "仟"];
const GROUPS = ["", "万", "亿"];

function chineseGroup(value: number): string {
  let [out, zero] = ["", false];
  for (let place = 3; place >= 0; place--) {
    const digit = Math.floor(value / 10 ** place) % 10;
    if (digit === 0) zero = out !== "";
    else {
      out += `${zero ? "零" : ""}${DIGITS[digit] ?? ""}${PLACES[place] ?? ""}`;
      zero = false;
    }
  }
  return out;
}

function chinese(value: number): string {
  if (value === 0) return "零";
  let out = "";
  for (let group = GROUPS.length - 1; group >= 0; group--) {
    const part = Math.floor(value / 10_000 ** group) % 10_000;
    if (part === 0) continue;
    out += `${out !== "" && part < 1_000 ? "零" : ""}${chineseGroup(part)}${GROUPS[group] ?? ""}`;
  }
  return out;
}

/** "One thousand five hundred dollars and no cents"; 壹仟伍佰元整. */
export function amountInWords(cents: number, language: "en" | "zh"): string {
  const [whole, part] = [Math.floor(cents / 100), cents % 100];
  if (language === "zh") {
    const [jiao, fen] = [Math.floor(part / 10), part % 10];
    const small = part === 0 ? "整" : `${jiao > 0 ? `${DIGITS[jiao] ?? ""}角` : "零"}${fen > 0 ? `${DIGITS[fen] ?? ""}分` : ""}`;
    return `${chinese(whole)}元${small}`;
  }
  const words = `${english(whole)} ${whole === 1 ? "dollar" : "dollars"} and ${part === 0 ? "no" : english(part)} ${part === 1 ? "cent" : "cents"}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
