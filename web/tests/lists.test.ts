import { afterEach, describe, expect, it } from "vitest";
import { set, settings } from "../src/state/settings";
import { listed, told } from "../src/i18n/lists";

afterEach(() => set("language", "en"));

describe("names and sentences one after another", () => {
  it("are set apart by commas and spaces", () => {
    expect(listed(["Player", "Banker"])).toBe("Player, Banker");
    expect(told("One.", "", "Two.")).toBe("One. Two.");
  });

  it("are set as Chinese sets them", () => {
    set("language", "zh-Hans");
    expect(settings.value.language).toBe("zh-Hans");
    expect(listed(["闲", "庄"])).toBe("闲、庄");
    expect(told("一。", "", "二。")).toBe("一。二。");
  });
});
