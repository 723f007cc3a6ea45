/// The run of a simulator as a command: fault lists, printed addresses, changes over time, and the end.
public enum SimulatorShell {
  /// Returns the list of faults if it is requested by the value `list` of an option for faults; otherwise nil.
  ///
  /// - Parameter column: The column at which the effects begin, from 0.
  public static func faultList<Fault: SimulatedFault>(
    _ values: [String], of faults: Fault.Type, column: Int
  ) -> [String]? {
    values.contains("list") ? Fault.list(column: column) : nil
  }

  /// Prints the addresses of a simulator that was started, and lets it run until the task is canceled.
  ///
  /// - Parameters:
  ///   - lines: The addresses.
  ///   - seconds: The time between changes; nil for none.
  ///   - print: Prints a line.
  ///   - change: Makes a change.
  ///   - stop: Stops the simulator; it runs in any case.
  /// - Throws: `CancellationError`, or the error of `print`.
  public static func run(
    _ lines: [String], changeEverySeconds seconds: Double? = nil, print: (String) async throws -> Void,
    change: () async -> Void = {}, stop: () async -> Void
  ) async throws {
    do {
      for line in lines { try await print(line) }
      while true {
        try await Task.sleep(for: .seconds(seconds ?? 3600))
        if seconds != nil { await change() }
      }
    } catch {
      await stop()
      throw error
    }
  }
}
