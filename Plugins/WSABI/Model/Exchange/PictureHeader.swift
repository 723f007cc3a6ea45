/// The properties of a picture from its first bytes, before anything is decoded or allocated.
struct PictureHeader: Sendable, Hashable {
  /// The formats that can be measured.
  enum Format: String, Sendable, CaseIterable {
    case bmp = "BMP"
    case png = "PNG"
    case jpeg = "JPEG"
    case wsq = "WSQ"
    case jpeg2000 = "JPEG 2000"
  }

  var format: Format
  var width: Int
  var height: Int
  /// The number of bits of all samples of a pixel: 8 for gray, 24 for color.
  ///
  /// The alpha channel of PNG is not counted.
  var bitsPerPixel: Int
  /// Nil if the picture does not say.
  var pixelsPerInch: Int?
  /// True if the compression is lossless, as far as the header shows; known for JPEG and JPEG 2000 only.
  var isLossless = false

  /// The number of pixels.
  var pixelCount: Int { width * height }

  /// Reads the header of a picture; nil if its format is unknown, or its size is missing.
  ///
  /// - Parameter bytes: The file, or as much of its start as there is.
  init?(_ bytes: [UInt8]) {
    let reader = BigEndianReader(bytes)
    let found: PictureHeader? =
      switch SniffedType(bytes) {
      case .png: .png(reader)
      case .jpeg: .jpeg(reader)
      case .wsq: .wsq(reader)
      case .jpeg2000: .jpeg2000(reader)
      case .codestream: .codestream(reader)
      case .bmp: .bitmap(bytes)
      case .tiff, .gif, .wav, .xml, nil: nil
      }
    guard let found, (1...1_000_000).contains(found.width), (1...1_000_000).contains(found.height) else { return nil }
    self = found
  }

  init(_ format: Format, width: Int, height: Int, bitsPerPixel: Int, pixelsPerInch: Int? = nil) {
    (self.format, self.width, self.height, self.bitsPerPixel) = (format, width, height, bitsPerPixel)
    self.pixelsPerInch = pixelsPerInch
  }

  /// Returns dots per inch from dots per meter; nil for zero, or a value that no sensor has.
  static func perInch(perMetre: Double) -> Int? {
    let dots = (perMetre * 0.0254).rounded()
    return dots >= 1 && dots <= 100_000 ? Int(dots) : nil
  }
}

// MARK: - BMP and PNG

extension PictureHeader {
  /// - Source: Microsoft, "BITMAPINFOHEADER", Windows GDI reference.
  private static func bitmap(_ bytes: [UInt8]) -> PictureHeader? {
    guard bytes.count >= 42 else { return nil }
    let reader = LittleEndianReader(bytes)
    guard reader.signedWord(14) >= 40 else { return nil }
    // An 8-bit bitmap has a palette, which may be colored; sensors write gray ones.
    return PictureHeader(
      .bmp, width: reader.signedWord(18), height: abs(reader.signedWord(22)), bitsPerPixel: reader.half(28),
      pixelsPerInch: perInch(perMetre: Double(reader.signedWord(38))))
  }

  /// - Source: W3C, PNG (Third Edition), sections 11.2.1 (IHDR) and 11.3.4.3 (pHYs).
  private static func png(_ reader: BigEndianReader) -> PictureHeader? {
    guard let width = reader.word(16), let height = reader.word(20), let depth = reader.byte(24),
      let color = reader.byte(25)
    else { return nil }
    // An alpha channel does not add gray levels: 8 bits with 8 of alpha are not 16-bit gray.
    let samples = [0: 1, 2: 3, 4: 1, 6: 3][color]
    // The bit depth of a palette image is that of its colors, which have 8 bits each.
    var header = PictureHeader(.png, width: width, height: height, bitsPerPixel: samples.map { $0 * depth } ?? 24)
    var offset = 33
    while let length = reader.word(offset), let name = reader.word(offset + 4), length < 1 << 31 {
      if name == 0x4944_4154 { break }
      if name == 0x7048_5973, let scale = reader.word(offset + 8), reader.byte(offset + 16) == 1 {
        header.pixelsPerInch = perInch(perMetre: Double(scale))
        break
      }
      offset += length + 12
    }
    return header
  }
}

// MARK: - JPEG and WSQ

extension PictureHeader {
  /// - Source: ITU-T T.81, annex B (frame header); ITU-T T.871, section 10.1 (density of JFIF).
  private static func jpeg(_ reader: BigEndianReader) -> PictureHeader? {
    var density: Int?
    for segment in MarkerSegments(reader, from: 2) {
      if segment.marker == 0xE0, reader.word(segment.start) == 0x4A46_4946, let unit = reader.byte(segment.start + 7),
        let dots = reader.half(segment.start + 8)
      {
        density = unit == 1 && dots > 0 ? dots : unit == 2 ? perInch(perMetre: Double(dots) * 100) : nil
      }
      let isFrame = (0xC0...0xCF).contains(segment.marker) && ![0xC4, 0xC8, 0xCC].contains(segment.marker)
      if isFrame, let depth = reader.byte(segment.start), let height = reader.half(segment.start + 1),
        let width = reader.half(segment.start + 3), let samples = reader.byte(segment.start + 5)
      {
        var header = PictureHeader(
          .jpeg, width: width, height: height, bitsPerPixel: depth * samples, pixelsPerInch: density)
        // SOF3, 7, 11 and 15 are the lossless processes.
        header.isLossless = segment.marker & 3 == 3
        return header
      }
    }
    return nil
  }

  /// - Source: FBI, "WSQ Gray-Scale Fingerprint Image Compression Specification" IAFIS-IC-0110 (V3), section 3, and the
  ///   comment of NIST's tools with `PPI`.
  private static func wsq(_ reader: BigEndianReader) -> PictureHeader? {
    var density: Int?
    var size: (width: Int, height: Int)?
    for segment in MarkerSegments(reader, from: 2) {
      if segment.marker == 0xA8 { density = density ?? pixelsPerInch(ofComment: reader.bytes[segment.range]) }
      if segment.marker == 0xA2, let height = reader.half(segment.start + 2), let width = reader.half(segment.start + 4)
      {
        size = size ?? (width, height)
      }
    }
    // The comment may be on either side of the size.
    return size.map { PictureHeader(.wsq, width: $0.width, height: $0.height, bitsPerPixel: 8, pixelsPerInch: density) }
  }

  /// Returns the number after `PPI` in a line of a comment.
  private static func pixelsPerInch(ofComment bytes: ArraySlice<UInt8>) -> Int? {
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: Array("PPI ".utf8)) {
      let digits = line.dropFirst(4).prefix { (0x30...0x39).contains($0) }
      if let number = Int(String(decoding: digits.prefix(6), as: UTF8.self)), number > 0 { return number }
    }
    return nil
  }
}

// MARK: - JPEG 2000

extension PictureHeader {
  /// - Source: ITU-T T.800, annex I: boxes `jp2h`, `ihdr`, `res `, `resc` and `resd`.
  private static func jpeg2000(_ reader: BigEndianReader) -> PictureHeader? {
    guard let header = reader.box(named: 0x6A70_3268, in: 0..<reader.bytes.count),
      let image = reader.box(named: 0x6968_6472, in: header), let height = reader.word(image.lowerBound),
      let width = reader.word(image.lowerBound + 4), let samples = reader.half(image.lowerBound + 8),
      let depth = reader.byte(image.lowerBound + 10)
    else { return nil }
    var density: Int?
    if let resolution = reader.box(named: 0x7265_7320, in: header),
      let box = reader.box(named: 0x7265_7363, in: resolution) ?? reader.box(named: 0x7265_7364, in: resolution)
    {
      density = perInch(ofResolution: reader, box.lowerBound)
    }
    // 255 means that samples differ in depth; eight bits are usual.
    let bits = depth == 255 ? 8 : depth & 0x7F + 1
    var found = PictureHeader(
      .jpeg2000, width: width, height: height, bitsPerPixel: bits * samples, pixelsPerInch: density)
    if let stream = reader.box(named: 0x6A70_3263, in: 0..<reader.bytes.count) {
      found.isLossless = isReversible(reader, stream.lowerBound)
    }
    return found
  }

  /// Returns true if the codestream at an offset uses the reversible transformation.
  ///
  /// - Source: ITU-T T.800, annex A.6.1: the last byte of the coding style of COD, 1 for the reversible filter 5-3.
  private static func isReversible(_ reader: BigEndianReader, _ offset: Int) -> Bool {
    guard reader.half(offset) == 0xFF4F else { return false }
    // The header of the codestream ends at the first tile.
    for segment in MarkerSegments(reader, from: offset + 2) where segment.marker != 0x51 {
      if segment.marker == 0x52 { return reader.byte(segment.start + 9) == 1 }
      if segment.marker == 0x90 { return false }
    }
    return false
  }

  private static func perInch(ofResolution reader: BigEndianReader, _ offset: Int) -> Int? {
    guard let numerator = reader.half(offset), let denominator = reader.half(offset + 2), denominator > 0,
      let exponent = reader.byte(offset + 8).map({ Int(Int8(truncatingIfNeeded: $0)) }), abs(exponent) < 12
    else { return nil }
    var perMetre = Double(numerator) / Double(denominator)
    for _ in 0..<abs(exponent) { perMetre = exponent > 0 ? perMetre * 10 : perMetre / 10 }
    return perInch(perMetre: perMetre)
  }

  /// - Source: ITU-T T.800, annex A.5.1: the marker segment SIZ of a bare codestream.
  private static func codestream(_ reader: BigEndianReader) -> PictureHeader? {
    guard let right = reader.word(8), let bottom = reader.word(12), let left = reader.word(16),
      let top = reader.word(20), let samples = reader.half(40), let depth = reader.byte(42)
    else { return nil }
    var header = PictureHeader(
      .jpeg2000, width: right - left, height: bottom - top, bitsPerPixel: (depth & 0x7F + 1) * samples)
    header.isLossless = isReversible(reader, 0)
    return header
  }
}

/// A check that a picture is whole, by its structure alone, without decoding.
enum PictureFlaw {
  /// Returns the flaw of a picture, worded to follow "the picture"; nil if its end is present and it has as much data
  /// as its header claims, or if its format is not checked.
  ///
  /// - Parameter bytes: The complete picture.
  static func of(_ bytes: [UInt8]) -> String? {
    if bytes.isEmpty { return "is empty" }
    return switch SniffedType(bytes) {
    case .png: png(BigEndianReader(bytes))
    case .jpeg: segments(BigEndianReader(bytes), .jpeg)
    case .wsq: segments(BigEndianReader(bytes), .wsq)
    case .bmp: bitmap(bytes)
    case .jpeg2000, .codestream, .tiff, .gif, .wav, .xml, nil: nil
    }
  }

  private static let cutHead = "ends in its header"
  private static let noPixels = "has no pixels"

  /// Returns the message for a picture whose claimed size does not fit its data.
  private static func impossibleSize(_ width: Int, _ height: Int, _ count: Int) -> String {
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
    var (offset, data) = (8, 0)
    while let length = reader.word(offset), let name = reader.word(offset + 4),
      length <= reader.bytes.count - offset - 12
    {
      if name == 0x4944_4154 { data += length }
      if name == 0x4945_4E44 {
        let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][color] ?? 1
        let needed = Double(height) * Double(width) * Double(samples * depth) / 8
        return needed > mostInflation * Double(data) ? impossibleSize(width, height, reader.bytes.count) : nil
      }
      offset += length + 12
    }
    return "ends before its last part, after \(reader.bytes.count) bytes"
  }

  // MARK: JPEG and WSQ

  private struct Markers {
    var end: Int
    var restarts: ClosedRange<Int>
    /// The offsets of height and width after a frame's marker, in bytes.
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
    var offset = 2
    while offset + 1 < count {
      // In scan data a zero follows each byte 255 that is not a marker.
      guard reader.bytes[offset] == 0xFF, reader.bytes[offset + 1] != 0xFF else {
        offset += 1
        continue
      }
      let marker = Int(reader.bytes[offset + 1])
      if marker == markers.end { return nil }
      if marker <= 1 || markers.restarts.contains(marker) {
        offset += 2
        continue
      }
      guard let length = reader.half(offset + 2), length >= 2, offset + 2 + length <= count else { break }
      if markers.frames.contains(marker),
        reader.half(offset + markers.height) == 0 || reader.half(offset + markers.width) == 0
      {
        return noPixels
      }
      offset += 2 + length
    }
    return "ends before its last marker, after \(count) bytes"
  }

  // MARK: BMP

  /// - Source: Microsoft, "Bitmap Storage" and "BITMAPINFOHEADER", Windows GDI reference.
  private static func bitmap(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 18 else { return cutHead }
    let reader = LittleEndianReader(bytes)
    // Older headers have other fields at other offsets.
    guard reader.word(14) >= 40 else { return nil }
    guard bytes.count >= 54 else { return cutHead }
    let (width, height) = (reader.signedWord(18), abs(reader.signedWord(22)))
    guard width > 0, height > 0 else { return noPixels }
    let (start, bits, compression) = (reader.word(10), reader.half(28), reader.word(30))
    // The header gives the length of compressed rows.
    let isBare = [0, 3, 6].contains(compression)
    let rows = isBare ? Double((width * bits + 31) / 32 * 4) * Double(height) : Double(reader.word(34))
    guard Double(start) + rows > Double(bytes.count) else { return nil }
    return impossibleSize(width, height, bytes.count)
  }
}

/// A type of data, recognized by its first bytes, whatever the service claims.
enum SniffedType: Sendable {
  case png
  case jpeg
  case jpeg2000
  /// JPEG 2000 without boxes.
  case codestream
  case tiff
  case wsq
  case gif
  case wav
  case xml
  case bmp

  private static let marks: [(type: SniffedType, bytes: [UInt8])] = [
    (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    (.jpeg, [0xFF, 0xD8, 0xFF]),
    (.jpeg2000, [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20]),
    (.codestream, [0xFF, 0x4F, 0xFF, 0x51]),
    (.tiff, [0x49, 0x49, 0x2A, 0]),
    (.tiff, [0x4D, 0x4D, 0, 0x2A]),
    (.wsq, [0xFF, 0xA0, 0xFF]),
    (.gif, [0x47, 0x49, 0x46, 0x38]),
    (.wav, [0x52, 0x49, 0x46, 0x46]),
    (.xml, Array("<?xml".utf8)),
    (.bmp, [0x42, 0x4D]),
  ]

  /// Creates the type of data; nil if its first bytes are unknown.
  init?(_ start: [UInt8]) {
    guard let mark = Self.marks.first(where: { start.starts(with: $0.bytes) }) else { return nil }
    self = mark.type
  }

  /// Returns the media type of data; nil if its first bytes are unknown.
  static func of(_ start: [UInt8]) -> String? { SniffedType(start)?.mediaType }

  private var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .jpeg2000, .codestream: "image/jp2"
    case .tiff: "image/tiff"
    case .wsq: "image/x-wsq"
    case .gif: "image/gif"
    case .wav: "audio/wav"
    case .xml: "text/xml"
    case .bmp: "image/bmp"
    }
  }
}

/// Numbers in bytes, the highest byte first; nil beyond their end.
struct BigEndianReader: Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func byte(_ offset: Int) -> Int? { bytes.indices.contains(offset) ? Int(bytes[offset]) : nil }

  /// Returns the number in two bytes.
  func half(_ offset: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - 2 else { return nil }
    return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  /// Returns the number in four bytes.
  func word(_ offset: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - 4, let high = half(offset), let low = half(offset + 2) else {
      return nil
    }
    return high << 16 | low
  }

  /// Returns the content of the first box with a name, among consecutive boxes.
  ///
  /// - Source: ITU-T T.800, annex I.4: length, name, content; a length of 0 reaches to the end, 1 announces a longer
  ///   one.
  func box(named name: Int, in range: Range<Int>) -> Range<Int>? {
    var offset = range.lowerBound
    while let length = word(offset), let found = word(offset + 4), offset < range.upperBound {
      let head = length == 1 ? 16 : 8
      let size = length == 0 ? range.upperBound - offset : length == 1 ? word(offset + 12) ?? 0 : length
      let end = min(offset + size, range.upperBound)
      guard size >= head, end >= offset + head else { return nil }
      if found == name { return (offset + head)..<end }
      offset = end
    }
    return nil
  }
}

/// The segments of JPEG and WSQ between markers, up to the first data.
private struct MarkerSegments: Sequence, IteratorProtocol {
  /// A marker's second byte, and the range of its content.
  struct Segment {
    var marker: Int
    /// Without marker and length.
    var range: Range<Int>

    var start: Int { range.lowerBound }
  }

  private let reader: BigEndianReader
  private var offset: Int

  init(_ reader: BigEndianReader, from offset: Int) { (self.reader, self.offset) = (reader, offset) }

  mutating func next() -> Segment? {
    guard reader.byte(offset) == 0xFF else { return nil }
    // Any number of bytes 255 may precede a marker.
    while reader.byte(offset + 1) == 0xFF { offset += 1 }
    // After the start of a scan (JPEG: DA; WSQ: A3) there are no lengths.
    guard let marker = reader.byte(offset + 1), marker != 0xDA, marker != 0xA3, let length = reader.half(offset + 2),
      length >= 2
    else { return nil }
    let range = (offset + 4)..<Swift.min(offset + 2 + length, Swift.max(offset + 4, reader.bytes.count))
    offset += 2 + length
    return Segment(marker: marker, range: range)
  }
}

/// A reader of little-endian numbers in bytes; offsets must be within them.
struct LittleEndianReader {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func half(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }

  func word(_ offset: Int) -> Int { half(offset) | half(offset + 2) << 16 }

  func signedWord(_ offset: Int) -> Int { Int(Int32(truncatingIfNeeded: word(offset))) }
}
