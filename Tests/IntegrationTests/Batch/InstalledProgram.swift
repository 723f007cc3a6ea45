import Foundation

/// Programs of this machine that some tests need.
enum InstalledProgram {
  /// Returns a program on the search path of the tests; nil if it is not installed.
  static func url(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { URL(fileURLWithPath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
