import Glibc
import PluginAPI
import PluginStore

extension SystemReason {
  /// Why a file gives no bytes; what is there and no file that can be read is input that cannot be used.
  init(_ failure: WholeFile.ReadFailure) {
    switch failure {
    case .system(let number): self.init(number: number)
    case .notPlain, .tooLarge: self.init(failure.reason, .unusableInput)
    }
  }

  /// What the system says.
  init(number: Int32) { self.init(number: number, String(cString: strerror(number))) }
}
