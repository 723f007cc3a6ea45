import BenchmarkSupport
import Glibc

/// A PostgreSQL server on this machine, which ends with this process.
struct DatabaseServer {
  /// The address of its database.
  let address: String

  /// A reason for which there is no server.
  enum Absence: Error {
    case notInstalled, notStarted
  }

  /// Starts a server in a new folder.
  init() throws(Absence) {
    // Not below the folder of the measurements, which the server's user cannot reach.
    let start = Program.output([Checkout.root + "/Scripts/postgres", "start", ScratchFolder().path, "\(getpid())"])
    guard start.status == 0, let address = start.text.split(separator: "\n").first.map(String.init) else {
      throw start.status == Self.notInstalled ? Absence.notInstalled : Absence.notStarted
    }
    self.address = address
  }

  /// The exit status of the script if the server's programs are missing.
  private static let notInstalled: Int32 = 3
}

extension DatabaseServer.Absence: CustomStringConvertible {
  var description: String {
    switch self {
    case .notInstalled: "PostgreSQL is not installed"
    case .notStarted: "the PostgreSQL server did not start"
    }
  }
}

/// The checkout that this program was built from.
enum Checkout {
  /// The root folder.
  static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  /// The program, built by `make build`.
  static let workbench = root + "/.build/release/workbench"
}
