import Foundation
import PluginAPI
import PluginCompression
import TestSupport
import Testing

@testable import PathCase

/// The real maps and their known properties.
enum MapTruth {
  /// The folder with the real files; nil if it is absent.
  static let folder = SharedData.folder?.appendingPathComponent("pathcase")

  /// Returns the names of the files in a folder.
  static func files(_ name: String, ending: [String]) -> [String] {
    guard let path = folder?.appendingPathComponent(name).path else { return [] }
    let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return all.filter { file in ending.contains { file.hasSuffix($0) } }.sorted().map { "\(name)/\($0)" }
  }

  /// Returns a file's bytes; nil if it is absent.
  static func bytes(_ file: String) -> [UInt8]? {
    folder.flatMap { try? Data(contentsOf: $0.appendingPathComponent(file)) }.map { Array($0) }
  }

  /// Returns the known properties of a file.
  static func truth(of file: String) throws -> [String: Any] {
    let data = try #require(Self.bytes("ground_truth.json"))
    let all = try #require(try JSONSerialization.jsonObject(with: Data(data)) as? [String: Any])
    let files = try #require(all["files"] as? [String: Any])
    let entry = try #require(files[file] as? [String: Any], "no properties of \(file) are known")
    return try #require(entry["truth"] as? [String: Any])
  }

  /// Returns its integers, those in objects keyed by `object.key`.
  static func counts(_ truth: [String: Any]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for (key, value) in truth where key != "canvas" {
      if let number = value as? Int { counts[key] = number }
      for (inner, number) in value as? [String: Int] ?? [:] { counts["\(key).\(inner)"] = number }
    }
    return counts
  }

  /// Returns the counts that are present and not 0.
  static func nonZero(_ counts: [String: Int]) -> [String: Int] { counts.filter { $0.value != 0 } }

  /// Returns the regular files of a tar archive.
  static func members(ofTar archive: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    var members: [(name: String, bytes: [UInt8])] = []
    var place = 0
    while place + 512 <= archive.count, archive[place] != 0 {
      let name = String(decoding: archive[place..<place + 100].prefix { $0 != 0 }, as: UTF8.self)
      let digits = archive[place + 124..<place + 136].filter { $0 >= 0x30 && $0 < 0x38 }
      let size = digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }
      let start = place + 512
      if archive[place + 156] == 0x30 || archive[place + 156] == 0 {
        members.append((name, Array(archive[start..<start + size])))
      }
      place = start + (size + 511) / 512 * 512
    }
    return members
  }
}

/// Returns the error code of an action; nil if it succeeds.
func mapErrorCode(_ action: () throws -> Void) -> String? {
  do {
    try action()
    return nil
  } catch let error as any ReportableError {
    return error.report.code
  } catch {
    return "\(error)"
  }
}
