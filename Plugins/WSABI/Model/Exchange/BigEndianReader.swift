/// Numbers in bytes, the highest byte first; nil beyond their end.
struct BigEndianReader: Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func byte(_ place: Int) -> Int? { bytes.indices.contains(place) ? Int(bytes[place]) : nil }

  /// Returns the number in two bytes.
  func half(_ place: Int) -> Int? {
    guard place >= 0, place <= bytes.count - 2 else { return nil }
    return Int(bytes[place]) << 8 | Int(bytes[place + 1])
  }

  /// Returns the number in four bytes.
  func word(_ place: Int) -> Int? {
    guard place >= 0, place <= bytes.count - 4, let high = half(place), let low = half(place + 2) else { return nil }
    return high << 16 | low
  }

  /// Returns the content of the first box with a name, among consecutive boxes.
  ///
  /// - Source: ITU-T T.800, annex I.4: length, name, content; a length of 0 reaches to the end, 1 tells of a longer one.
  func box(named name: Int, in range: Range<Int>) -> Range<Int>? {
    var place = range.lowerBound
    while let length = word(place), let found = word(place + 4), place < range.upperBound {
      let head = length == 1 ? 16 : 8
      let size = length == 0 ? range.upperBound - place : length == 1 ? word(place + 12) ?? 0 : length
      let end = min(place + size, range.upperBound)
      guard size >= head, end >= place + head else { return nil }
      if found == name { return (place + head)..<end }
      place = end
    }
    return nil
  }
}

/// The segments of JPEG and WSQ between markers, up to the first data.
struct MarkerSegments: Sequence, IteratorProtocol {
  /// A marker's second byte, and the range of its content.
  struct Segment {
    var marker: Int
    /// Without marker and length.
    var range: Range<Int>

    var start: Int { range.lowerBound }
  }

  private let reader: BigEndianReader
  private var place: Int

  init(_ reader: BigEndianReader, from place: Int) { (self.reader, self.place) = (reader, place) }

  mutating func next() -> Segment? {
    guard reader.byte(place) == 0xFF else { return nil }
    // Any number of bytes 255 may precede a marker.
    while reader.byte(place + 1) == 0xFF { place += 1 }
    // After the start of a scan (JPEG: DA; WSQ: A3) there are no lengths.
    guard let marker = reader.byte(place + 1), marker != 0xDA, marker != 0xA3, let length = reader.half(place + 2),
      length >= 2
    else { return nil }
    let range = (place + 4)..<Swift.min(place + 2 + length, Swift.max(place + 4, reader.bytes.count))
    place += 2 + length
    return Segment(marker: marker, range: range)
  }
}
