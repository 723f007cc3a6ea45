import PluginAPI

/// A day that is picked: by typing year, month and day, with arrows, or in the month's calendar.
struct DatePickerState: Sendable, Hashable {
  /// The part that arrows and digits change.
  enum Part: Int, CaseIterable, Sendable {
    case year
    case month
    case day

    /// The number of digits.
    var digits: Int { self == .year ? 4 : 2 }
  }

  private(set) var day: CalendarDay
  private(set) var part = Part.year
  /// The digits typed into the part so far.
  private(set) var typed = ""
  /// The message about a number that is not valid here; empty for none.
  private(set) var message = ""

  init(_ day: CalendarDay) { self.day = day }

  /// Returns the displayed text of a part: its typed digits, otherwise its value.
  func text(_ part: Part) -> String {
    if part == self.part, !typed.isEmpty { return typed + String(repeating: "_", count: part.digits - typed.count) }
    let text = day.text
    switch part {
    case .year: return String(text.prefix(4))
    case .month: return String(text.dropFirst(5).prefix(2))
    case .day: return String(text.suffix(2))
    }
  }

  /// Handles a key; returns false if it has no meaning here.
  mutating func handle(_ key: Key) -> Bool {
    switch key {
    case Key(.left), Key(.tab, .shift): move(-1)
    case Key(.right), Key(.tab), Key(.character("-")), Key(.character(".")), Key(.character("/")): move(1)
    case Key(.up): step(1)
    case Key(.down): step(-1)
    case Key(.pageUp): turn(months: -1)
    case Key(.pageDown): turn(months: 1)
    case Key(.backspace) where !typed.isEmpty: typed.removeLast()
    default:
      guard key.modifiers.isEmpty, case .character(let digit) = key.code, digit.isASCII, digit.isNumber else {
        return false
      }
      type(digit)
    }
    return true
  }

  /// Selects another day, such as a clicked one.
  mutating func pick(_ day: CalendarDay) { (self.day, typed, message, part) = (day, "", "", .day) }

  /// Applies the typed digits, as leaving does.
  mutating func settle() {
    defer { typed = "" }
    guard let number = Int(typed) else { return }
    set(number)
  }

  /// Moves to the same day a number of months later.
  mutating func turn(months: Int) {
    settle()
    (day, message) = (day.adding(months: months), "")
  }

  private mutating func move(_ parts: Int) {
    settle()
    part = Part(rawValue: min(max(0, part.rawValue + parts), Part.allCases.count - 1)) ?? part
  }

  private mutating func step(_ count: Int) {
    settle()
    message = ""
    switch part {
    case .year: day = CalendarDay(year: day.year + count, month: day.month, day: day.day)
    case .month: day = day.adding(months: count)
    case .day: day = day.adding(days: count)
    }
  }

  private mutating func type(_ digit: Character) {
    message = ""
    typed.append(digit)
    if typed.count == part.digits { move(1) }
  }

  private mutating func set(_ number: Int) {
    switch part {
    case .year: day = CalendarDay(year: number, month: day.month, day: day.day)
    case .month: day = CalendarDay(year: day.year, month: number, day: day.day)
    case .day: day = CalendarDay(year: day.year, month: day.month, day: number)
    }
    let kept = [day.year, day.month, day.day][part.rawValue]
    let length = CalendarDay.days(of: day.month, in: day.year)
    switch part {
    case _ where kept == number: message = ""
    case .day: message = "that month has \(length) days"
    case .month: message = "a year has 12 months"
    case .year: message = "years go from 1 to 9999"
    }
  }
}
