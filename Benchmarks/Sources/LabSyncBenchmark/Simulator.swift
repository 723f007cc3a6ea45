import BenchmarkSupport

/// A made-up server in a process of its own.
final class Simulator {
  let address: String
  let user: String
  let password: String
  private let program: ServingProgram

  /// Starts a server with TLS and waits until it is ready; nil if it does not start within ten seconds.
  ///
  /// - Parameter changesEvery: Seconds from one change of the lab to the next; nil for a lab that does not change.
  init?(_ workbench: String, entities: Int, changesEvery: Int? = nil) {
    let changes = changesEvery.map { ["--changes", "\($0)"] } ?? []
    let arguments = [workbench, "openbis", "simulate", "--entities", "\(entities)", "--tls", "on"] + changes
    let started = ServingProgram.start(arguments, within: 10) { printed -> [String]? in
      // A last line without a line feed may be incomplete.
      let words = printed.hasSuffix("\n") ? printed.split { $0 == " " || $0 == "\n" } : []
      return words.count >= 5 ? words.map(String.init) : nil
    }
    guard let started else { return nil }
    program = started.program
    (address, user, password) = (started.output[0], started.output[2], started.output[4])
  }
}
