import PluginAPI
import PluginJSON

/// Reads numbers that are laid over maps: a JSON object of ids and numbers, or what `fba --json` prints.
enum OverlayReader {
  /// Reads a file.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(MapError) -> OverlayData {
    let value: Value
    do {
      value = try Value(json: try MapBytes.plain(bytes), sizeInBytes: MapBytes.limitInBytes)
    } catch let error as MapError {
      throw error
    } catch let error as JSONError {
      throw MapError(json: error)
    } catch {
      throw MapError(reading: error)
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
