import BenchmarkSupport

/// Simulated sensors in a process of their own.
final class SensorProcess {
  /// The base addresses of the sensors.
  let addresses: [String]
  private let program: ServingProgram

  /// Starts sensors and waits until they are ready; nil if that takes longer than twenty seconds.
  ///
  /// - Parameters:
  ///   - sensors: The number of sensors.
  ///   - options: Further arguments for `workbench wsabi simulate`.
  init?(_ workbench: String, sensors: Int, _ options: [String]) {
    let arguments = [workbench, "wsabi", "simulate", "--sensors", "\(sensors)"] + options
    let started = ServingProgram.start(arguments, within: 20) { printed -> [String]? in
      let lines = printed.split(separator: "\n")
      // The control port is printed last; its line may be incomplete.
      guard lines.count == sensors + 1, lines.last?.hasSuffix(" control") == true else { return nil }
      return lines.dropLast().map { String($0.prefix { $0 != " " }) }
    }
    guard let started else { return nil }
    (program, addresses) = started
  }
}
