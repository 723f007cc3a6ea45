import PluginAPI

/// Time limits of jobs, in Slurm's notation.
enum JobTime {
  /// The option of commands that start jobs or write recipes for them.
  static let option = Parameter("time", .text, "Time limit of a job, such as 1:00:00; a number alone is minutes")

  /// The time before its limit at which a job's worker is asked to stop.
  static let noticeInSeconds = 60

  /// Returns the time limit of a call in seconds; nil if it gives none, or `UNLIMITED`.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.bad-time`.
  static func seconds(_ call: CommandCall) throws(ErrorReport) -> Int? {
    guard let text = call[option.name].text, !["unlimited", "infinite"].contains(text.lowercased()) else { return nil }
    guard let seconds = seconds(text), seconds > 0 else {
      throw BatchError.badTime(
        "'\(text)' is not a time limit", advice: "write minutes, or a time such as 1:30:00 or 2-12:00:00")
    }
    return seconds
  }

  /// Checks the time limit of a call for jobs, whose workers stop before it.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.bad-time`.
  static func checkForJobs(_ call: CommandCall) throws(ErrorReport) {
    guard let limit = try seconds(call), limit <= noticeInSeconds else { return }
    throw BatchError.badTime(
      "'\(call.text(option.name))' leaves no time: a worker stops a minute before the limit of its job",
      advice: "give several minutes")
  }

  /// Reads `MM`, `MM:SS`, `HH:MM:SS`, `D-HH`, `D-HH:MM` or `D-HH:MM:SS`; returns nil for other texts.
  static func seconds(_ text: String) -> Int? {
    let words = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    var numbers: [Int] = []
    for word in words.flatMap({ $0.split(separator: ":", omittingEmptySubsequences: false) }) {
      guard (1...7).contains(word.utf8.count), word.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(word)
      else { return nil }
      numbers.append(number)
    }
    let units =
      switch (words.count, numbers.count) {
      case (1, 1): [60]
      case (1, 2): [60, 1]
      case (1, 3): [3600, 60, 1]
      case (2, 2): [86_400, 3600]
      case (2, 3): [86_400, 3600, 60]
      case (2, 4): [86_400, 3600, 60, 1]
      default: [Int]()
      }
    return units.isEmpty ? nil : zip(numbers, units).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
