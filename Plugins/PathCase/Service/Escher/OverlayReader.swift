import PluginAPI
import PluginJSON

/// Reads numbers to show on maps: a JSON object of ids and numbers, the output of `fba --json`, or a table.
enum OverlayReader {
  /// Reads a file; it is JSON if its first non-blank character is a bracket.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(MapError) -> OverlayData {
    let plain = try MapBytes.plain(bytes)
    let first = plain.first { $0 > UInt8(ascii: " ") && ![0xEF, 0xBB, 0xBF].contains($0) }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return try OverlayTable.read(plain) }
    return try data(ofJSON: plain)
  }

  private static func data(ofJSON bytes: [UInt8]) throws(MapError) -> OverlayData {
    let value: Value
    do {
      value = try Value(json: bytes, sizeInBytes: MapBytes.limitInBytes)
    } catch {
      throw MapError(json: error)
    }
    guard let record = value["fluxes"].record ?? value.record else {
      throw .structure(.overlay, "it is no object of ids and numbers")
    }
    var data = OverlayData()
    for field in record.fields {
      let number = field.value.isNull ? nil : try EscherReader.number(field.value, of: "'\(field.name)'")
      data.entries.append(OverlayData.Entry(id: Identifier(field.name), value: number))
    }
    return data
  }
}
