/** Days as people call them. */

const DAY = 86_400_000; // milliseconds

/** `Today`, `Yesterday`, or `Friday, 27 November 2026`. */
export function dayOf(iso, now = new Date()) {
  const write = (date) =>
    date.toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const day = write(new Date(iso));
  if (day === write(now)) return "Today";
  return day === write(new Date(now.getTime() - DAY)) ? "Yesterday" : day;
}
