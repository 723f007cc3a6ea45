/// A check that a picture is whole, by its structure alone, without decoding.
enum PictureFlaw {
  /// Returns the flaw of a picture, worded to follow "the picture"; nil if its end is present and it has as much data
  /// as its header claims, or if its format is not checked.
  ///
  /// - Parameter bytes: The complete picture.
  static func of(_ bytes: [UInt8]) -> String? {
    if bytes.isEmpty { return "is empty" }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return png(BigEndianReader(bytes)) }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return segments(BigEndianReader(bytes), .jpeg) }
    if bytes.starts(with: [0xFF, 0xA0, 0xFF]) { return segments(BigEndianReader(bytes), .wsq) }
    if bytes.starts(with: [0x42, 0x4D]) { return bitmap(bytes) }
    return nil
  }

  private static let cutHead = "ends in its head"
  private static let noPixels = "has no pixels"

  /// Returns the message for a picture whose claimed size does not fit its data.
  private static func lies(_ width: Int, _ height: Int, _ count: Int) -> String {
    "claims \(width)×\(height) pixels, which its \(count) bytes cannot hold"
  }

  // MARK: PNG

  /// The largest number of bytes that one compressed byte can expand to.
  ///
  /// - Source: zlib, "Technical details": a ratio of 1032 to 1 at most.
  private static let mostInflation = 1032.0

  /// - Source: W3C, PNG (Third Edition), sections 5.3 (chunks), 11.2.1 (IHDR) and 11.2.4 (IEND).
  private static func png(_ reader: BigEndianReader) -> String? {
    guard let width = reader.word(16), let height = reader.word(20), let depth = reader.byte(24),
      let color = reader.byte(25)
    else { return cutHead }
    guard width > 0, height > 0 else { return noPixels }
    var (place, data) = (8, 0)
    while let length = reader.word(place), let name = reader.word(place + 4), length <= reader.bytes.count - place - 12
    {
      if name == 0x4944_4154 { data += length }
      if name == 0x4945_4E44 {
        let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][color] ?? 1
        let needed = Double(height) * Double(width) * Double(samples * depth) / 8
        return needed > mostInflation * Double(data) ? lies(width, height, reader.bytes.count) : nil
      }
      place += length + 12
    }
    return "ends before its last part, after \(reader.bytes.count) bytes"
  }

  // MARK: JPEG and WSQ

  private struct Markers {
    var end: Int
    var restarts: ClosedRange<Int>
    /// The offsets of height and width behind a frame's marker, in bytes.
    var height: Int
    var width: Int
    var frames: Set<Int>

    /// - Source: ITU-T T.81, annex B.
    static let jpeg = Markers(
      end: 0xD9, restarts: 0xD0...0xD7, height: 5, width: 7,
      frames: Set(0xC0...0xCF).subtracting([0xC4, 0xC8, 0xCC]))
    /// - Source: FBI, "WSQ Gray-Scale Fingerprint Image Compression Specification" IAFIS-IC-0110 (V3), section 3.
    static let wsq = Markers(end: 0xA1, restarts: 0xB0...0xB7, height: 6, width: 8, frames: [0xA2])
  }

  private static func segments(_ reader: BigEndianReader, _ markers: Markers) -> String? {
    let count = reader.bytes.count
    var place = 2
    while place + 1 < count {
      // In scan data a zero follows each byte 255 that is not a marker.
      guard reader.bytes[place] == 0xFF, reader.bytes[place + 1] != 0xFF else {
        place += 1
        continue
      }
      let marker = Int(reader.bytes[place + 1])
      if marker == markers.end { return nil }
      if marker <= 1 || markers.restarts.contains(marker) {
        place += 2
        continue
      }
      guard let length = reader.half(place + 2), length >= 2, place + 2 + length <= count else { break }
      if markers.frames.contains(marker),
        reader.half(place + markers.height) == 0 || reader.half(place + markers.width) == 0
      {
        return noPixels
      }
      place += 2 + length
    }
    return "ends before its last marker, after \(count) bytes"
  }

  // MARK: BMP

  /// - Source: Microsoft, "Bitmap Storage" and "BITMAPINFOHEADER", Windows GDI reference.
  private static func bitmap(_ bytes: [UInt8]) -> String? {
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    guard bytes.count >= 18 else { return cutHead }
    // Older headers have other fields at other offsets.
    guard number(14, 4) >= 40 else { return nil }
    guard bytes.count >= 54 else { return cutHead }
    let width = Int(Int32(truncatingIfNeeded: number(18, 4)))
    let height = abs(Int(Int32(truncatingIfNeeded: number(22, 4))))
    guard width > 0, height > 0 else { return noPixels }
    let (start, bits, compression) = (number(10, 4), number(28, 2), number(30, 4))
    // The header gives the length of compressed rows.
    let isBare = [0, 3, 6].contains(compression)
    let rows = isBare ? Double((width * bits + 31) / 32 * 4) * Double(height) : Double(number(34, 4))
    guard Double(start) + rows > Double(bytes.count) else { return nil }
    return lies(width, height, bytes.count)
  }
}
