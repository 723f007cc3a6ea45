import Foundation
import PluginAPI

/// Files of images made here, byte by byte, for tests of readers.
enum ImageFixtures {
  /// Returns a PNG of any color type and depth, its data in stored blocks.
  ///
  /// - Parameters:
  ///   - rows: The packed samples of each row, without filter bytes.
  static func png(
    width: Int, height: Int, depth: UInt8, colorType: UInt8, chunks: [(String, [UInt8])] = [], rows: [[UInt8]]
  ) -> [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += chunk("IHDR", word(width) + word(height) + [depth, colorType, 0, 0, 0])
    for (name, data) in chunks { file += chunk(name, data) }
    file += chunk("IDAT", zlib(rows.flatMap { [0] + $0 }))
    return file + chunk("IEND", [])
  }

  static func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

  static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = [UInt8](name.utf8) + data
    return word(data.count) + body + word(Int(crc(body)))
  }

  /// Wraps bytes as a zlib stream of stored blocks (RFC 1950, RFC 1951 section 3.2.4).
  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      out += [rest.isEmpty ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
      out += block
    } while !rest.isEmpty
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return out + word(high << 16 | low)
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }

  /// Returns the chunks of a PNG file, with whether each CRC holds.
  static func chunks(of file: [UInt8]) -> [(name: String, data: [UInt8], isWhole: Bool)] {
    var found: [(String, [UInt8], Bool)] = []
    var at = 8
    while at + 12 <= file.count {
      let count = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let body = Array(file[at + 4..<at + 8 + count])
      let sum = Array(file[at + 8 + count..<at + 12 + count])
      found.append(
        (String(decoding: body.prefix(4), as: UTF8.self), Array(body.dropFirst(4)), sum == word(Int(crc(body)))))
      at += 12 + count
    }
    return found
  }

  /// Returns a bitmap with a header of 40 bytes.
  static func bmp(
    width: Int, height: Int, bits: UInt8, palette: [UInt8] = [], rows: [[UInt8]], compression: UInt8 = 0
  ) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] { word(value).reversed() }
    let start = 54 + palette.count
    var file: [UInt8] = [0x42, 0x4D] + little(start) + little(0) + little(start)
    file += little(40) + little(width) + little(height) + [1, 0, bits, 0, compression, 0, 0, 0] + little(0)
    file += little(2835) + little(2835) + little(palette.count / 4) + little(0) + palette
    for row in rows { file += row + [UInt8](repeating: 0, count: (4 - row.count % 4) % 4) }
    return file
  }

  /// A JP2 file of 16×12 pixels, gray 16·x ^ 5·y; made with OpenJPEG 2.5.4 without loss from that formula.
  static let jpeg2000 = bytes(
    """
    AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAADAAAABAAAQcHAAAAAAAPY29scgEAAAAAABEAAAEPanAy
    Y/9P/1EAKQAAAAAAEAAAAAwAAAAAAAAAAAAAABAAAAAMAAAAAAAAAAAAAQcBAf9SAAwAAAABAAMEBAAB/1wADUBASEhQSEhQSEhQ/2QAJQABQ3Jl
    YXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS40/5AACgAAAAAAlAAB/5PPtBQJFS3nv8faCQHwhQD4Qg0Bzk0KjwLvx9oXA+QPB9QSDnWviotC
    WGQr6j4E5K7NVxh/C4ZWBGDP/k4Sw+ofg+cnB9QcGn7ii3cQ9i9XaNJN9Aru65NAqDdG+QTH9DyRBTvdXwL4Ndwq4LChUJU+JMXbWqLB0N8DiIgG
    jY/5g3FkKCAqZ//Z
    """)

  /// A JP2 file of 8×8 pixels, red 32·x, green 32·y, blue 255 - 8·x - 8·y; made in the same way.
  static let coloredJPEG2000 = bytes(
    """
    AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAACAAAAAgAAwcHAAAAAAAPY29scgEAAAAAABAAAADlanAy
    Y/9P/1EALwAAAAAACAAAAAgAAAAAAAAAAAAAAAgAAAAIAAAAAAAAAAAAAwcBAQcBAQcBAf9SAAwAAAABAAMEBAAB/1wADUBASEhQSEhQSEhQ/2QA
    JQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS40/5AACgAAAAAAZAAB/5PH1AQIL8fUBAgvz7QIAy/PwAgEX6fgBARfw+oBh9QCBgbH
    2gYADQIJo+0DAAs9hsHzg4PnBg4KhwwXx8PqAwAiGhWh9QGAA3/rwPkBwPkBgCFuDwDP3//Z
    """)

  /// 16×12 pixels, red 16·x, green 20·y, blue 128; made with libjpeg-turbo 2.1.5 at quality 90 from that formula.
  static let jpeg = bytes(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8X
    GBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAAR
    CAAMABADAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEG
    E1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWG
    h4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEB
    AQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYk
    NOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0
    tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD5r8J/BP7n7j9K/VMZn2+p4HDXE/w+8eze
    E/gn9z9x+lfC4zPt9T+quGuJ/h949t8J+FNN+T9z6V8DjMZW11P8veGswxHu6ns3hPwppvyfua+GxmMra6n9V8NZhiPd1P/Z
    """)

  /// The same in greys, progressive, quality 60.
  static let grayJPEG = bytes(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5a
    YVpQYEpRUk//wgALCAAMABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/2gAIAQEAAAABjH//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oA
    CAEBAAEFAh//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAY/Ah//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/IR//2gAIAQEA
    AAAQ/wD/xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/EB//2Q==
    """)

  /// 16×12 pixels of four inks (255, 0, 128, 200, inverted as Adobe writes them), quality 95.
  static let inkJPEG = bytes(
    """
    /9j/7gAOQWRvYmUAZAAAAAAC/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwL
    CgwJCgoK/9sAQwECAgICAgIFAwMFCgcGBwoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK/8AAFAgA
    DAAQBAERAAIRAQMRAQQRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFB
    BhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SF
    hoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/EAB8BAAMBAQEB
    AQEBAQEAAAAAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXETIjKBCBRCkaGxwQkjM1LwFWJy0QoW
    JDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKz
    tLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp6vLz9PX29/j5+v/aAA4EAQACEQMRBAAAPwD6Qr8rP8Kz9IKKACigAooAK//Z
    """)

  private static func bytes(_ base64: String) -> [UInt8] {
    [UInt8](Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
  }

  /// Returns a picture of a fixed gradient; with alpha or opaque.
  static func gradient(_ width: Int, _ height: Int, isOpaque: Bool) -> Picture {
    var picture = Picture(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let color = [UInt8(x * 7 & 255), UInt8(y * 5 & 255), UInt8((x ^ y) & 255), isOpaque ? 255 : UInt8(x & 255)]
        picture.pixels.replaceSubrange(4 * (y * width + x)..<4 * (y * width + x) + 4, with: color)
      }
    }
    return picture
  }
}
