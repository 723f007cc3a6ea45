import PluginAPI
import PluginText

/// A value of a manifest with its location, for error messages.
struct ManifestPlace: Sendable {
  let value: Value
  /// As in `items[2].device.name`.
  let path: String

  init(_ value: Value, path: String = "") { (self.value, self.path) = (value, path) }

  var problem: ExchangeError { .badManifest(place: path.isEmpty ? "the whole" : path) }

  subscript(key: String) -> ManifestPlace { ManifestPlace(value[key], path: path.isEmpty ? key : "\(path).\(key)") }

  /// Returns the values of a list with their places.
  func list() throws(ExchangeError) -> [ManifestPlace] {
    guard let values = value.list else { throw problem }
    return values.enumerated().map { ManifestPlace($1, path: "\(path)[\($0)]") }
  }

  func text() throws(ExchangeError) -> String {
    guard let text = value.text else { throw problem }
    return text
  }

  func texts() throws(ExchangeError) -> [String] {
    var texts: [String] = []
    for place in try list() { texts.append(try place.text()) }
    return texts
  }

  /// Returns a text; nil for null.
  func optionalText() throws(ExchangeError) -> String? { value.isNull ? nil : try text() }

  func integer(atLeast least: Int = .min) throws(ExchangeError) -> Int {
    guard case .integer(let number) = value.content, number >= least else { throw problem }
    return number
  }

  func integer(in range: ClosedRange<Int>) throws(ExchangeError) -> Int {
    guard case .integer(let number) = value.content, range.contains(number) else { throw problem }
    return number
  }

  func flag() throws(ExchangeError) -> Bool {
    guard let flag = value.bool else { throw problem }
    return flag
  }

  /// Seconds of the years 1 to 9999, which every format of an export has room for.
  private static let years: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  func instant() throws(ExchangeError) -> Instant {
    guard let instant = ExactInstant.instant(try text()), Self.years.contains(instant.seconds) else { throw problem }
    return instant
  }

  func uuid() throws(ExchangeError) -> SensorUUID {
    guard let id = SensorUUID(try text()) else { throw problem }
    return id
  }

  /// Returns 32 bytes, given as 64 hexadecimal digits.
  func digest() throws(ExchangeError) -> [UInt8] {
    guard let digest = Hexadecimal.bytes(try text()), digest.count == 32 else { throw problem }
    return digest
  }
}
