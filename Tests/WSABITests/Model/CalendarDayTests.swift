import Testing

@testable import WSABI

@Suite struct CalendarDayTests {
  @Test func `only year, month and day in figures are parsed as a day`() {
    #expect(CalendarDay("1815-12-10")?.text == "1815-12-10")
    #expect(CalendarDay("2000-02-29") != nil && CalendarDay("1900-02-29") == nil)
    for wrong in ["", "1815-12-1", "10.12.1815", "1815-13-01", "1815-00-01", "1815-01-32", "0000-01-01", "１８１５-12-10"] {
      #expect(CalendarDay(wrong) == nil, "\(wrong)")
    }
  }

  @Test func `values outside the calendar are clamped to the nearest day`() {
    #expect(CalendarDay(year: 2023, month: 2, day: 31).text == "2023-02-28")
    #expect(CalendarDay(year: 12_000, month: 13, day: 0).text == "9999-12-01")
    #expect(CalendarDay(year: -1, month: 0, day: 99).text == "0001-01-31")
  }

  @Test func `weekdays match the calendar`() {
    #expect(CalendarDay("2026-11-21")?.weekday == 5)
    #expect(CalendarDay("1815-12-10")?.weekday == 6)
    #expect(CalendarDay("2000-02-29")?.weekday == 1)
  }

  @Test func `adding and subtracting days crosses every end of a month`() {
    var day = CalendarDay(year: 2023, month: 12, day: 30)
    var texts: [String] = []
    for _ in 0..<400 {
      let next = day.adding(days: 1)
      #expect(next > day && next.adding(days: -1) == day && next.weekday == (day.weekday + 1) % 7)
      texts.append(next.text)
      day = next
    }
    #expect(texts[2] == "2024-01-02" && texts.contains("2024-02-29") && texts.last == "2025-02-02")
  }

  @Test func `adding months clamps to the shorter month, and the calendar ends at years 1 and 9999`() {
    #expect(CalendarDay(year: 2024, month: 1, day: 31).adding(months: 1).text == "2024-02-29")
    #expect(CalendarDay(year: 2024, month: 3, day: 31).adding(months: -13).text == "2023-02-28")
    #expect(CalendarDay(year: 1, month: 1, day: 1).adding(days: -1).text == "0001-01-01")
    #expect(CalendarDay(year: 1, month: 1, day: 5).adding(months: -1).text == "0001-01-05")
    #expect(CalendarDay(year: 9999, month: 12, day: 31).adding(days: 1).text == "9999-12-31")
    #expect(CalendarDay(year: 9999, month: 12, day: 31).adding(months: 1).text == "9999-01-31")
  }
}
