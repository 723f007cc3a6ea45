import PluginAPI

/// A day that is picked: by typing year, month and day, with arrows, or in the month's calendar.
struct DatePickerState: Sendable, Hashable {
  /// The part that arrows and digits change.
  enum Part: Int, CaseIterable, Sendable {
    case year
    case month
    case day

    /// The name of the part.
    var title: String {
      switch self {
      case .year: "year"
      case .month: "month"
      case .day: "day"
      }
    }

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

/// A day with its month's calendar; the calendar is left out if there is no room.
struct DatePickerView: View {
  var title: String
  /// Nil while it is read.
  var state: DatePickerState?
  var message = ""

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  private static let weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
  /// The first line of the calendar's days; the number of weeks and the width of a day follow.
  private static let firstWeek = 4
  private static let weeks = 6
  private static let column = 3

  private static func showsCalendar(_ size: Size) -> Bool {
    size.height >= firstWeek + weeks && size.width >= 7 * column + 2
  }

  func draw(into frame: inout TextFrame) {
    let width = frame.size.width
    guard let state else {
      frame.put(TextWidth.truncated(message, to: width - 2), x: 2, y: 0, .secondary)
      return
    }
    var x = 2
    for part in DatePickerState.Part.allCases {
      if part != .year { x = frame.put("-", x: x, y: 0, .secondary) }
      x = frame.put(state.text(part), x: x, y: 0, part == state.part ? .selection : .plain)
    }
    // A word too: a selection may be no more than a color.
    x = frame.put(TextWidth.truncated(" " + state.part.title, to: max(0, width - x)), x: x, y: 0, .secondary)
    let month = "\(Self.months[state.day.month - 1]) \(state.day.year)"
    let note = state.message.isEmpty ? message : state.message
    if Self.showsCalendar(frame.size) {
      frame.put(month, x: 2, y: 2, .heading)
      frame.put(Self.weekdays.joined(separator: " "), x: 2, y: 3, .secondary)
      for (day, point) in Self.days(of: state.day) {
        let text = TextWidth.padded(String(day), to: 2, right: true)
        let isPicked = day == state.day.day
        frame.put(text, x: point.x, y: point.y, isPicked ? .selection : .plain)
        guard isPicked else { continue }
        frame.put("[", x: point.x - 1, y: point.y, .accent)
        frame.put("]", x: point.x + 2, y: point.y, .accent)
      }
      frame.put(TextWidth.truncated(note, to: width - x - 3), x: x + 2, y: 0, .warning)
    } else {
      frame.put(
        TextWidth.truncated(note.isEmpty ? month : note, to: width - 3), x: 2, y: 1,
        note.isEmpty ? .secondary : .warning)
    }
    let top = Self.showsCalendar(frame.size) ? Self.firstWeek + Self.weeks + 1 : 3
    for (line, text) in TextWidth.wrapped(Self.hint, to: max(1, width - 4)).enumerated() {
      frame.put(text, x: 2, y: top + line, .secondary)
    }
  }

  private static let hint = "digits or arrows · enter saves · delete: no day"

  /// Returns the days of a month with their positions.
  private static func days(of day: CalendarDay) -> [(day: Int, point: Point)] {
    let first = CalendarDay(year: day.year, month: day.month, day: 1).weekday
    return (1...CalendarDay.days(of: day.month, in: day.year)).map { number in
      let cell = first + number - 1
      return (number, Point(x: 2 + cell % 7 * column, y: firstWeek + cell / 7))
    }
  }

  /// Returns the day of the month at a position.
  static func hit(_ point: Point, _ state: DatePickerState, in size: Size) -> CalendarDay? {
    guard showsCalendar(size) else { return nil }
    return days(of: state.day).first { $0.point.y == point.y && ($0.point.x..<$0.point.x + 2).contains(point.x) }.map {
      CalendarDay(year: state.day.year, month: state.day.month, day: $0.day)
    }
  }

  var outline: Outline {
    Outline(
      title: title, text: [state?.message ?? "", message].filter { !$0.isEmpty },
      fields: state.map { [.init("Day", $0.day.text)] } ?? [],
      items: [
        .init(id: "type", text: "Type the day", action: ActionInvocation(DateAction.type)),
        .init(id: "done", text: "Save the day", action: ActionInvocation(DateAction.done)),
        .init(id: "clear", text: "Clear the field", action: ActionInvocation(DateAction.clear)),
      ])
  }
}
