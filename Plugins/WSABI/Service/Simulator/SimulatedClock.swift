import Glibc
import Synchronization

/// The clock of the sensors, which can be moved.
final class SimulatedClock: Sendable {
  private let offset = Mutex(0)
  private let isStill: Bool

  /// - Parameter isStill: True to advance it only by hand, from January 1, 2026 on.
  init(isStill: Bool = false) { self.isStill = isStill }

  /// Milliseconds since 1970.
  var now: Int {
    if isStill { return 1_767_225_600_000 + offset.withLock { $0 } }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000 + offset.withLock { $0 }
  }

  /// Moves the clock on, or back.
  func advance(milliseconds: Int) { offset.withLock { $0 &+= milliseconds } }

  /// Returns a time in the format of services, in UTC.
  ///
  /// - Parameter fractionDigits: 3, or 7 as .NET does.
  /// - Source: Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013 (`civil_from_days`).
  static func text(_ milliseconds: Int, fractionDigits: Int = 3) -> String {
    let second = (milliseconds / 1000, milliseconds % 1000)
    let (day, rest) = (second.0 / 86_400, second.0 % 86_400)
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let turned = (5 * dayOfYear + 2) / 153
    let month = turned < 10 ? turned + 3 : turned - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfYear - (153 * turned + 2) / 5 + 1, 2))"
    let time = "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
    let zeros = String(repeating: "0", count: max(0, fractionDigits - 3))
    return "\(date)T\(time).\(padded(second.1, 3))\(zeros)Z"
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let text = String(max(0, number))
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
