import Glibc
import PluginAPI

@testable import WSABI

/// A process of its own for tests of captures that are killed: captures into a store until it is.
@main enum CaptureWriter {
  static func main() async {
    exit(2)
  }
}
