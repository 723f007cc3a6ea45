import Foundation
import TestSupport

@testable import PathCase

/// The real SBML files, their known properties, and the files in archives.
enum SBMLTruth {
  static let folder = SharedData.folder?.appendingPathComponent("pathcase")

  private static let truths: Data? = folder.flatMap {
    try? Data(contentsOf: $0.appendingPathComponent("ground_truth.json"))
  }

  /// Returns the known properties of a file in the folder `sbml`.
  static func truth(_ name: String) -> [String: Any]? {
    guard let truths, let all = try? JSONSerialization.jsonObject(with: truths) as? [String: Any],
      let entries = all["files"] as? [String: [String: Any]]
    else { return nil }
    return entries["sbml/" + name]?["truth"] as? [String: Any]
  }

  /// Returns the content of a file in the folder `pathcase`, uncompressed if necessary; nil if it cannot be read.
  static func bytes(_ path: String) -> [UInt8]? {
    guard let folder, let data = try? Data(contentsOf: folder.appendingPathComponent(path)) else { return nil }
    return try? MapBytes.plain([UInt8](data))
  }

  /// Returns the files in a compressed archive, by name.
  ///
  /// - Source: POSIX.1-1988, format `ustar`: blocks of 512 bytes, the name in bytes 0 to 99, the size in octal in bytes
  ///   124 to 135, the kind in byte 156.
  static func archive(_ path: String) -> [String: [UInt8]] {
    guard let all = bytes(path) else { return [:] }
    var files: [String: [UInt8]] = [:]
    var at = 0
    while at + 512 <= all.count, all[at] != 0 {
      let name = String(decoding: all[at..<(at + 100)].prefix { $0 != 0 }, as: UTF8.self)
      let digits = String(decoding: all[(at + 124)..<(at + 135)].filter { $0 > 32 }, as: UTF8.self)
      let size = Int(digits, radix: 8) ?? 0
      if all[at + 156] == UInt8(ascii: "0") || all[at + 156] == 0 {
        files[name] = Array(all[(at + 512)..<min(all.count, at + 512 + size)])
      }
      at += 512 + (size + 511) / 512 * 512
    }
    return files
  }
}
