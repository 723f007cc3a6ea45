import Glibc
import PluginAPI
import PluginStore

extension SystemReason {
  /// Creates the reason for which a file cannot be read; a file that exists but is not readable as one counts as
  /// unusable input.
  init(_ failure: WholeFile.ReadFailure) {
    switch failure {
    case .system(let number): self.init(number: number)
    case .notPlain, .tooLarge: self.init(failure.reason, .unusableInput)
    }
  }

  /// Creates a reason with the system's message.
  init(number: Int32) { self.init(number: number, String(cString: strerror(number))) }
}
