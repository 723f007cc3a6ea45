import Foundation
import PluginAPI
import PluginText
import Testing

@testable import Host

/// Sixel and kitty pictures, read back by small decoders of our own and compared with the originals.
@Suite(.enabled(if: (try? ChafaLibrary.shared()) != nil, "libchafa is not installed"))
struct PixelDecodingTests {
  /// Flat areas, an edge and a smooth run of colors.
  private static let picture: Picture = {
    var pixels: [UInt8] = []
    for y in 0..<48 {
      for x in 0..<40 {
        pixels += y < 24 ? (x < 20 ? [220, 40, 30, 255] : [30, 60, 200, 255]) : [UInt8(x * 6), UInt8(y * 5), 90, 255]
      }
    }
    return Picture(width: 40, height: 48, pixels: pixels)
  }()

  private func encoded(_ pixels: any PixelProtocol) throws -> [UInt8] {
    let bytes = try pixels.encode(
      Self.picture, cells: Size(width: 5, height: 3), cellPixels: Size(width: 8, height: 16), movesCursor: false)
    return try #require(bytes)
  }

  @Test func `a kitty picture has the exact colors`() throws {
    let decoded = try #require(KittyDecoder.picture(of: try encoded(KittyGraphics())))
    #expect(decoded.size == Self.picture.size)
    var colors = 0
    var opacities = 0
    for (place, (found, wanted)) in zip(decoded.pixels, Self.picture.pixels).enumerated() where found != wanted {
      if place % 4 == 3 { opacities = max(opacities, abs(Int(found) - Int(wanted))) } else { colors += 1 }
    }
    #expect(colors == 0)
    // chafa 1.12 encodes the last byte of each of its chunks of 512 bytes wrongly, here always an opacity: 243 for 255.
    #expect(opacities <= 12)
  }

  @Test func `a sixel picture approximates the pixels in 256 colors`() throws {
    let decoded = try #require(SixelDecoder.picture(of: try encoded(SixelGraphics()), size: Self.picture.size))
    var worst = 0
    var sum = 0
    for place in 0..<decoded.pixels.count where place % 4 != 3 {
      let difference = abs(Int(decoded.pixels[place]) - Int(Self.picture.pixels[place]))
      worst = max(worst, difference)
      sum += difference
    }
    // Sixel colors are in hundredths; dithering moves single pixels further than the mean.
    #expect(sum < 6 * Self.picture.width * Self.picture.height * 3)
    #expect(worst < 60)
    #expect(stride(from: 3, to: decoded.pixels.count, by: 4).allSatisfy { decoded.pixels[$0] == 255 })
  }
}

/// Reads pictures sent by the kitty graphics protocol, without compression.
///
/// - Source: kitty, "Terminal graphics protocol", transmission in chunks (f, s, v, m).
private enum KittyDecoder {
  static func picture(of bytes: [UInt8]) -> Picture? {
    let text = String(decoding: bytes, as: UTF8.self)
    var data: [UInt8] = []
    var keys: [String: String] = [:]
    for command in text.components(separatedBy: "\u{1B}_G").dropFirst() {
      let body = command.components(separatedBy: "\u{1B}\\")[0]
      let parts = body.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
      for pair in parts[0].split(separator: ",") {
        let words = pair.split(separator: "=").map(String.init)
        if words.count == 2, keys[words[0]] == nil { keys[words[0]] = words[1] }
      }
      // Every chunk is encoded on its own, with its own padding.
      guard let chunk = PluginText.Base64.bytes(parts.count > 1 ? parts[1] : "") else { return nil }
      data += chunk
    }
    guard let width = keys["s"].flatMap(Int.init), let height = keys["v"].flatMap(Int.init) else { return nil }
    let channels = keys["f"] == "24" ? 3 : 4
    guard data.count == channels * width * height else { return nil }
    var pixels: [UInt8] = []
    for place in 0..<width * height {
      pixels += data[channels * place..<channels * place + 3]
      pixels.append(channels == 4 ? data[4 * place + 3] : 255)
    }
    return Picture(width: width, height: height, pixels: pixels)
  }
}

/// Reads sixel pictures with RGB colors; pixels that no sixel sets stay transparent.
///
/// - Source: DEC, "VT3xx Programmer Reference", chapter 14.
private enum SixelDecoder {
  static func picture(of bytes: [UInt8], size: Size) -> Picture? {
    guard let start = bytes.firstIndex(of: UInt8(ascii: "q")) else { return nil }
    var picture = Picture(width: size.width, height: size.height)
    var pixels = picture.pixels
    var colors: [Int: [UInt8]] = [:]
    var (x, y, color, repeats) = (0, 0, 0, 1)
    var position = start + 1
    func numbers() -> [Int] {
      var all = [0]
      while position < bytes.count {
        if bytes[position] == UInt8(ascii: ";") {
          all.append(0)
        } else if (48...57).contains(bytes[position]) {
          all[all.count - 1] = all[all.count - 1] * 10 + Int(bytes[position]) - 48
        } else {
          break
        }
        position += 1
      }
      return all
    }
    while position < bytes.count, bytes[position] != 0x1B {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): _ = numbers()
      case UInt8(ascii: "!"): repeats = numbers()[0]
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, y) = (0, y + 6)
      case UInt8(ascii: "#"):
        let values = numbers()
        color = values[0]
        if values.count == 5 {
          colors[color] = values[2...].map { (share: Int) -> UInt8 in UInt8((share * 255 + 50) / 100) } + [255]
        }
      case 63...126:
        for bit in 0..<6 where (byte - 63) >> bit & 1 == 1 && y + bit < size.height {
          for column in x..<min(size.width, x + repeats) {
            let place = 4 * ((y + bit) * size.width + column)
            pixels.replaceSubrange(place..<place + 4, with: colors[color] ?? [0, 0, 0, 0])
          }
        }
        (x, repeats) = (x + repeats, 1)
      default: break
      }
    }
    picture.pixels = pixels
    return picture
  }
}
