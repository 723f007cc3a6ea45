import Foundation
import TestSupport

/// The real files in which faults were found, read in place.
enum FoundFiles {
  private static let folder = SharedData.folder?.appendingPathComponent("found/pathcase")

  /// Returns whether a file is present.
  static func has(_ name: String) -> Bool { bytes(name) != nil }

  /// Returns a file's bytes; nil if it is absent.
  static func bytes(_ name: String) -> [UInt8]? {
    folder.flatMap { try? Data(contentsOf: $0.appendingPathComponent(name)) }.map { Array($0) }
  }
}
