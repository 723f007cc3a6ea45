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
      if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
        .png(reader)
      } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
        .jpeg(reader)
      } else if bytes.starts(with: [0xFF, 0xA0, 0xFF]) {
        .wsq(reader)
      } else if bytes.starts(with: [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20]) {
        .jpeg2000(reader)
      } else if bytes.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) {
        .codestream(reader)
      } else if bytes.starts(with: [0x42, 0x4D]) {
        .bitmap(bytes)
      } else {
        nil
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
    func word(_ place: Int) -> Int {
      Int(
        Int32(
          truncatingIfNeeded: (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }))
    }
    guard word(14) >= 40 else { return nil }
    let bits = Int(bytes[28]) | Int(bytes[29]) << 8
    // An 8-bit bitmap has a palette, which may be colored; sensors write gray ones.
    return PictureHeader(
      .bmp, width: word(18), height: abs(word(22)), bitsPerPixel: bits,
      pixelsPerInch: perInch(perMetre: Double(word(38))))
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
    var place = 33
    while let length = reader.word(place), let name = reader.word(place + 4), length < 1 << 31 {
      if name == 0x4944_4154 { break }
      if name == 0x7048_5973, let scale = reader.word(place + 8), reader.byte(place + 16) == 1 {
        header.pixelsPerInch = perInch(perMetre: Double(scale))
        break
      }
      place += length + 12
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
  private static func isReversible(_ reader: BigEndianReader, _ place: Int) -> Bool {
    guard reader.half(place) == 0xFF4F else { return false }
    // The header of the codestream ends at the first tile.
    for segment in MarkerSegments(reader, from: place + 2) where segment.marker != 0x51 {
      if segment.marker == 0x52 { return reader.byte(segment.start + 9) == 1 }
      if segment.marker == 0x90 { return false }
    }
    return false
  }

  private static func perInch(ofResolution reader: BigEndianReader, _ place: Int) -> Int? {
    guard let numerator = reader.half(place), let denominator = reader.half(place + 2), denominator > 0,
      let exponent = reader.byte(place + 8).map({ Int(Int8(truncatingIfNeeded: $0)) }), abs(exponent) < 12
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
