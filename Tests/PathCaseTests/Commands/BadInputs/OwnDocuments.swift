import PluginCompression
import PluginText

@testable import PathCase

/// The documents of a small synthetic database, intact or with a fault.
enum OwnDocuments {
  /// The intact documents, keyed by path.
  static let whole: [String: [UInt8]] = Dictionary(
    ContractWriter.documents(of: MawSamples.small).map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })

  /// The path of the layout.
  static let layout = "layouts/v.xml"

  static func text(_ path: String) -> String { String(decoding: whole[path] ?? [], as: UTF8.self) }

  /// Returns a document with the first occurrence of a text replaced.
  static func changed(_ path: String, _ old: String, _ new: String) throws -> [UInt8] {
    let text = Array(text(path).utf8)
    guard let start = ByteSearch.firstIndex(of: old.utf8, in: text) else { throw Missing(path: path, text: old) }
    return Array(text[..<start]) + Array(new.utf8) + text[(start + old.utf8.count)...]
  }

  /// The error for a missing text that a test wants to replace.
  struct Missing: Error {
    var path: String
    var text: String
  }

  /// Returns a document with additional content.
  static func with(_ path: String, _ more: String) throws -> [UInt8] { try changed(path, "</MAW>", more + "</MAW>") }

  /// Returns tissues with a text before the root element.
  static func tissues(behind prolog: String, name: String = "Liver") throws -> [UInt8] {
    let text = String(decoding: try changed("tissues.xml", "Liver", name), as: UTF8.self)
    guard let start = ByteSearch.firstIndex(of: "<MAW".utf8, in: text.utf8) else {
      throw Missing(path: "tissues.xml", text: "<MAW")
    }
    return Array((prolog + text[start...]).utf8)
  }

  /// Returns many processes, each between two pools.
  static func chain(of count: Int) throws -> [UInt8] {
    let processes = (0..<count).map { number in
      """
      <Process id="r\(number)" name="r\(number)" type="reaction" reversible="false">\
      <Participant pool="q\(number / 2)" role="substrate"/><Participant pool="q\(number + 1)" role="product"/></Process>
      """
    }
    return try Gzip.compress(MawSamples.document("processes", processes.joined(separator: "\n"), snapshot: "big"))
  }

  /// Returns a text as little-endian 16-bit units after their byte order mark.
  static func wide(_ text: String) -> [UInt8] {
    [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  /// Returns a text with one byte per character, none above 255.
  static func latin(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

  /// Returns a model of level 3 with some content.
  static func sbml(_ content: String, level: Int = 3, more: String = "") -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" level="\(level)" version="1"\(more)>
      \(content)</sbml>
      """.utf8)
  }
}
