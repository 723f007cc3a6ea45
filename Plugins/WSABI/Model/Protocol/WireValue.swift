/// A value of a dictionary: part of a service's information, a configuration, or the metadata of a capture.
///
/// Everything a service wrote can be written again: a value without its own case is kept with its type and text.
///
/// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), section 3.
indirect enum WireValue: Sendable, Hashable {
  /// `xsi:nil`.
  case null
  case string(String)
  case boolean(Bool)
  /// A whole number of the XML Schema type named, such as `int` or `positiveInteger`, within 64 bits.
  case integer(Int, type: String)
  /// A `decimal`, or a whole number beyond 64 bits, exact as written.
  case decimal(String, type: String)
  /// A `float` or `double`; NaN and infinities are spelled `NaN`, `INF`, `-INF` on the wire.
  case double(Double, type: String)
  /// A moment as written: up to seven digits of a second, with or without a zone.
  case dateTime(String)
  case bytes([UInt8])
  case uri(String)
  case range(WireRange)
  case resolution(WireResolution)
  case resource(WireResource)
  case parameter(SensorParameter)
  /// An `Array`, or a typed one such as `StringArray`, whose elements all have that type.
  case array([WireValue], type: String)
  case dictionary(WireDictionary)
  /// A text whose type is unknown or does not match, such as an `int` of letters: kept, and flagged by the reader.
  case other(String, type: String)
}

/// Keys with values, in the order of the document; each key occurs once.
struct WireDictionary: Sendable, Hashable {
  /// A key with its value.
  struct Item: Sendable, Hashable {
    let key: String
    let value: WireValue

    init(_ key: String, _ value: WireValue) {
      self.key = key
      self.value = value
    }
  }

  private(set) var items: [Item] = []

  /// Creates a dictionary with items in order; for a repeated key the last value counts, at the first position.
  init(_ items: [Item] = []) {
    var places: [String: Int] = [:]
    for item in items {
      if let place = places[item.key] {
        self.items[place] = item
      } else {
        places[item.key] = self.items.count
        self.items.append(item)
      }
    }
  }

  /// The value of a key; set to nil to remove it.
  ///
  /// A key set again keeps its position.
  subscript(key: String) -> WireValue? {
    get { items.first { $0.key == key }?.value }
    set {
      let place = items.firstIndex { $0.key == key }
      switch (place, newValue) {
      case (let place?, let value?): items[place] = Item(key, value)
      case (let place?, nil): items.remove(at: place)
      case (nil, let value?): items.append(Item(key, value))
      case (nil, nil): break
      }
    }
  }

  var isEmpty: Bool { items.isEmpty }
}

/// From a least to a greatest value, either of which may be open.
struct WireRange: Sendable, Hashable {
  var minimum: WireValue?
  var maximum: WireValue?
  var minimumIsExclusive: Bool?
  var maximumIsExclusive: Bool?
}

/// A width and a height, exact as written, as in `500` or `19.685`.
struct WireResolution: Sendable, Hashable {
  var width: String
  var height: String
  /// Free text; pixels where it is missing.
  var unit: String?
}

/// The location of a resource, such as a live preview.
struct WireResource: Sendable, Hashable {
  var uri: String
  var contentType: String?
  var relationship: String?
}
