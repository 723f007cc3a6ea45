internal import CImageDecoders
public import PluginAPI

/// A writer of PNG pictures, still or animated.
///
/// The same picture and settings give the same bytes with the same zlib. Opaque pictures are written without alpha.
/// - Source: W3C, "Portable Network Graphics (PNG) Specification (Third Edition)", 2025.
public enum PNGWriter {
  /// A text annotation in a file, such as its title, author or software.
  public struct Annotation: Sendable, Hashable {
    /// The keyword, 1…79 Latin characters, such as `Software`.
    public var keyword: String
    /// The text.
    public var text: String

    /// Creates an annotation.
    public init(_ keyword: String, _ text: String) {
      self.keyword = keyword
      self.text = text
    }
  }

  /// A picture of an animation.
  public struct Frame: Sendable {
    /// The picture; all frames have the same size.
    public var picture: Picture
    /// The time that the frame is shown, in milliseconds, 0…65535.
    public var milliseconds: Int

    /// Creates a frame.
    public init(_ picture: Picture, milliseconds: Int) {
      self.picture = picture
      self.milliseconds = milliseconds
    }
  }

  /// Returns the bytes of a still picture.
  ///
  /// - Parameters:
  ///   - picture: The picture, at least one pixel.
  ///   - compressionLevel: 0 (none) … 9 (smallest).
  ///   - annotations: The text annotations.
  /// - Throws: ``ImageError/unwritable(reason:)`` for an empty picture.
  /// - Complexity: O(*pixels*).
  public static func bytes(
    of picture: Picture, compressionLevel: Int = 6, annotations: [Annotation] = []
  ) throws(ImageError) -> [UInt8] {
    precondition((0...9).contains(compressionLevel), "compression levels are 0…9")
    let channels = picture.isOpaque ? 3 : 4
    var file = try start(picture, channels: channels)
    for annotation in annotations { file.add(annotation) }
    file.addChunk("IDAT", try compressed(picture, channels: channels, level: compressionLevel))
    file.addChunk("IEND", [])
    return file.bytes
  }

  /// Returns the bytes of an animation; programs without support for animated PNG show its first frame.
  ///
  /// - Parameters:
  ///   - frames: The frames, at least one, all of the same size.
  ///   - plays: The number of times it is played; 0 for an endless loop.
  ///   - compressionLevel: 0 (none) … 9 (smallest).
  ///   - annotations: The text annotations.
  /// - Throws: ``ImageError/unwritable(reason:)`` for no frames, empty ones or ones of different sizes.
  /// - Complexity: O(*frames* × *pixels*).
  /// - Source: PNG Third Edition, section 11.3.6 "APNG chunks".
  public static func animation(
    _ frames: [Frame], plays: Int = 0, compressionLevel: Int = 6, annotations: [Annotation] = []
  ) throws(ImageError) -> [UInt8] {
    precondition((0...9).contains(compressionLevel), "compression levels are 0…9")
    precondition(frames.allSatisfy { (0...65_535).contains($0.milliseconds) }, "a frame is shown for 0…65535 ms")
    guard let first = frames.first?.picture else { throw .unwritable(reason: "an animation needs a frame") }
    guard frames.allSatisfy({ $0.picture.size == first.size }) else {
      throw .unwritable(reason: "the frames of an animation have the same size")
    }
    let channels = frames.allSatisfy(\.picture.isOpaque) ? 3 : 4
    var file = try start(first, channels: channels)
    for annotation in annotations { file.add(annotation) }
    file.addChunk("acTL", ChunkedFile.words([frames.count, max(0, plays)]))
    var sequence = 0
    for (index, frame) in frames.enumerated() {
      file.addChunk("fcTL", control(sequence, frame))
      sequence += 1
      let data = try compressed(frame.picture, channels: channels, level: compressionLevel)
      if index == 0 {
        file.addChunk("IDAT", data)
      } else {
        file.addChunk("fdAT", ChunkedFile.words([sequence]) + data)
        sequence += 1
      }
    }
    file.addChunk("IEND", [])
    return file.bytes
  }

  /// Returns the sequence number, size, offset, delay as a fraction of a second, and modes of disposal and blending.
  private static func control(_ sequence: Int, _ frame: Frame) -> [UInt8] {
    ChunkedFile.words([sequence, frame.picture.width, frame.picture.height, 0, 0])
      + [UInt8(frame.milliseconds >> 8), UInt8(frame.milliseconds & 255), 0x03, 0xE8, 0, 0]
  }

  private static func start(_ picture: Picture, channels: Int) throws(ImageError) -> ChunkedFile {
    if picture.isEmpty { throw .unwritable(reason: "it has no pixels") }
    if picture.width > 1_000_000 || picture.height > 1_000_000 {
      throw .unwritable(reason: "it is more than 1000000 pixels wide or high")
    }
    var file = ChunkedFile()
    let colorType: UInt8 = channels == 3 ? 2 : 6
    file.addChunk("IHDR", ChunkedFile.words([picture.width, picture.height]) + [8, colorType, 0, 0, 0])
    file.addChunk("sRGB", [0])
    return file
  }

  private static func compressed(_ picture: Picture, channels: Int, level: Int) throws(ImageError) -> [UInt8] {
    let count = picture.height * (1 + channels * picture.width)
    let rows = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      picture.pixels.withUnsafeBufferPointer {
        image_png_filter(
          $0.baseAddress, Int32(picture.width), Int32(picture.height), Int32(channels), target.baseAddress)
      }
      initialized = count
    }
    var outcome = image_outcome()
    let bytes = [UInt8](unsafeUninitializedCapacity: image_deflate_bound(count)) { target, initialized in
      var length = target.count
      outcome = rows.withUnsafeBufferPointer {
        image_deflate($0.baseAddress, $0.count, Int32(level), target.baseAddress, &length)
      }
      initialized = outcome.status == IMAGE_DONE ? length : 0
    }
    try ImageReader.check(outcome, .png)
    return bytes
  }
}

extension Picture {
  /// A Boolean value indicating whether all pixels are opaque.
  var isOpaque: Bool {
    pixels.withUnsafeBufferPointer { bytes in
      var index = 3
      while index < bytes.count {
        if bytes[index] != 255 { return false }
        index += 4
      }
      return true
    }
  }
}

/// The bytes of a PNG file, built from chunks.
private struct ChunkedFile {
  private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func words(_ numbers: [Int]) -> [UInt8] {
    numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
  }

  mutating func addChunk(_ name: StaticString, _ data: [UInt8]) {
    bytes.reserveCapacity(bytes.count + data.count + 12)
    bytes += ChunkedFile.words([data.count])
    let start = bytes.count
    name.withUTF8Buffer { bytes += $0 }
    bytes += data
    let crc = bytes[start...].withUnsafeBufferPointer { image_crc(0, $0.baseAddress, $0.count) }
    bytes += ChunkedFile.words([Int(crc)])
  }

  /// Appends an international text, uncompressed.
  mutating func add(_ annotation: PNGWriter.Annotation) {
    let keyword = annotation.keyword.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(79)
    let data = keyword.map { UInt8($0.value) } + [0, 0, 0, 0, 0] + annotation.text.utf8.filter { $0 != 0 }
    if !keyword.isEmpty { addChunk("iTXt", data) }
  }
}
