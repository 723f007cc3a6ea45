import BenchmarkSupport
import Glibc
import PluginAPI
import PluginImages
import PluginText

/// The readers of images.
struct ImageSubject: FuzzSubject {
  let seeds: [[UInt8]]
  let tokens: [[UInt8]]

  init() throws {
    var random = SplitMix64(seed: 1)
    func picture(_ width: Int, _ height: Int, opaque: Bool) -> Picture {
      var picture = Picture(width: width, height: height)
      for index in picture.pixels.indices {
        picture.pixels[index] = opaque && index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: random.next())
      }
      return picture
    }
    let (small, large) = (picture(5, 3, opaque: false), picture(40, 30, opaque: true))
    let frames = [PNGWriter.Frame(small, milliseconds: 50), PNGWriter.Frame(small, milliseconds: 70)]
    var seeds = [
      try PNGWriter.bytes(of: small), try PNGWriter.bytes(of: large, compressionLevel: 0),
      try PNGWriter.bytes(of: large, annotations: [.init("Software", "campaign")]), try PNGWriter.animation(frames),
      Self.bitmap(of: large, bits: 24), Self.bitmap(of: large, bits: 32), Array(Self.drawing.utf8),
    ]
    if let jpeg = TurboJPEG.bytes(of: large) { seeds.append(jpeg) }
    self.seeds = seeds
    tokens =
      [
        [0, 0, 0, 0], [255, 255, 255, 255], [0x7F, 255, 255, 255], [0x80, 0, 0, 0], [0, 0, 0, 1], [255, 0xD8],
        [255, 0xC0], [255, 0xC2], [255, 0xDA], [255, 0xD9], [255, 0xC4, 0, 2],
      ]
      + [
        "IHDR", "PLTE", "tRNS", "IDAT", "IEND", "acTL", "<svg width='1e9' height='1e9'>", "<use href='#a'/>", "NaN",
        "-1",
      ]
      .map { Array($0.utf8) }
  }

  func read(_ bytes: [UInt8]) -> FuzzReading {
    _ = try? ImageReader.size(of: bytes)
    guard let picture = try? ImageReader.picture(from: bytes, maximumPixels: 1_000_000) else {
      return FuzzReading(isAccepted: false)
    }
    precondition(picture.pixels.count == 4 * picture.width * picture.height, "a picture has all its pixels")
    return FuzzReading(isAccepted: true)
  }

  /// Sets the checksum of every chunk of a PNG file right, so that more than its first check is tried.
  func mend(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return bytes }
    var mended = bytes
    var place = 8
    while place + 12 <= mended.count {
      let length = mended[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= mended.count - place - 12 else { break }
      let end = place + 8 + length
      let sum = Self.checksum(mended[place + 4..<end])
      for byte in 0..<4 { mended[end + byte] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * byte)) }
      place = end + 4
    }
    return mended
  }

  /// - Source: PNG Third Edition, annex D (CRC-32, polynomial 0xEDB88320).
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { sum, byte in table[Int((sum ^ UInt32(byte)) & 255)] ^ sum >> 8 }
  }

  private static let table: [UInt32] = (0..<256).map { start in
    (0..<8).reduce(UInt32(start)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
  }

  /// Returns a BMP file.
  ///
  /// - Source: Microsoft, BITMAPFILEHEADER and BITMAPINFOHEADER (Windows GDI).
  private static func bitmap(of picture: Picture, bits: Int) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var rows: [UInt8] = []
    for y in (0..<picture.height).reversed() {
      for x in 0..<picture.width {
        let pixel = picture.pixels[4 * (y * picture.width + x)..<4 * (y * picture.width + x) + 4].map { $0 }
        rows += [pixel[2], pixel[1], pixel[0]] + (bits == 32 ? [pixel[3]] : [])
      }
      while rows.count % 4 != 0 { rows.append(0) }
    }
    let header = little(40, 4) + little(picture.width, 4) + little(picture.height, 4) + little(1, 2) + little(bits, 2)
    return [0x42, 0x4D] + little(54 + rows.count, 4) + little(0, 4) + little(54, 4) + header + little(0, 4)
      + little(rows.count, 4) + little(2835, 4) + little(2835, 4) + little(0, 8) + rows
  }

  private static let drawing = """
    <?xml version="1.0"?><!-- a drawing --><svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">
    <defs><linearGradient id="a"><stop offset="0" stop-color="#f00"/></linearGradient></defs>
    <rect width="40" height="30" fill="url(#a)"/><path d="M0 0 L40 30 C1 2 3 4 5 6 Z"/><text x="3" y="9">t</text></svg>
    """
}

/// Makes a JPEG file with the library the reader uses.
private enum TurboJPEG {
  /// nil where the library is missing.
  ///
  /// - Source: turbojpeg.h 2.1: tjInitCompress, tjCompress2 (TJPF_RGBA is 7, TJSAMP_420 is 2).
  static func bytes(of picture: Picture) -> [UInt8]? {
    typealias Start = @convention(c) () -> UnsafeMutableRawPointer?
    typealias Compress =
      @convention(c) (
        UnsafeMutableRawPointer, UnsafePointer<UInt8>, Int32, Int32, Int32, Int32,
        UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<UInt>, Int32, Int32, Int32
      ) -> Int32
    guard let library = dlopen("libturbojpeg.so.0", RTLD_NOW), let start = dlsym(library, "tjInitCompress"),
      let compress = dlsym(library, "tjCompress2"), let handle = unsafeBitCast(start, to: Start.self)()
    else { return nil }
    var (output, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
    let status = unsafeBitCast(compress, to: Compress.self)(
      handle, picture.pixels, Int32(picture.width), 0, Int32(picture.height), 7, &output, &count, 2, 80, 0)
    guard status == 0, let output else { return nil }
    return Array(UnsafeBufferPointer(start: output, count: Int(count)))
  }
}
