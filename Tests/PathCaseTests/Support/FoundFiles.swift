import Foundation
import TestSupport

/// The real files on which faults were found, read in place.
enum FoundFiles {
  private static let folder = SharedData.folder?.appendingPathComponent("found/pathcase")

  /// A Boolean value indicating whether a file is there.
  static func has(_ name: String) -> Bool { bytes(name) != nil }

  /// A file's bytes; nil where it is absent.
  static func bytes(_ name: String) -> [UInt8]? {
    folder.flatMap { try? Data(contentsOf: $0.appendingPathComponent(name)) }.map { Array($0) }
  }
}
