import BenchmarkSupport
import PluginAPI

@testable import Host

// Times of the difference encoder and of pictures as cells, one JSON line each.

/// Returns a typical frame of text: words, many styles, a few lines and wide characters.
func textFrame(_ size: Size) -> TextFrame {
  var frame = TextFrame(size: size)
  let styles: [Style] = [.plain, .heading, .secondary, .accent, Style(foreground: .rgb(200, 120, 40))]
  for y in 0..<size.height {
    var x = 0
    while x < size.width {
      x = frame.put("word\((x * 7 + y * 13) % 997) ", x: x, y: y, styles[(x + y) / 8 % styles.count])
      if x % 29 == 0 { x = frame.put("漢字│", x: x, y: y, .accent) }
    }
  }
  return frame
}

/// Returns the frame with a number of cells per thousand changed, spread over it.
func changed(_ frame: TextFrame, perMille: Int, round: Int) -> TextFrame {
  var frame = frame
  let count = frame.cells.count
  frame.replaceCells { cells in
    var index = round * 7 % 1000
    while index < count {
      if cells[index].glyph < 0x80 { cells[index].glyph = UInt32(0x41 + (round + index) % 26) }
      index += max(1, 1000 / perMille)
    }
  }
  return frame
}

/// Returns a picture with a disc that is shaded and moves with the round.
func shadedDisc(_ size: Size, round: Int) -> Picture {
  var picture = Picture(width: size.width, height: size.height)
  let (middleX, middleY) = (size.width / 2 + round % 5, size.height / 2)
  let radius = min(size.width, size.height) / 2
  for y in 0..<size.height {
    for x in 0..<size.width {
      let (dx, dy) = (x - middleX, y - middleY)
      let depth = radius * radius - dx * dx - dy * dy
      if depth <= 0 { continue }
      let level = UInt8(55 + 200 * depth / (radius * radius))
      let start = 4 * (y * size.width + x)
      picture.pixels.replaceSubrange(start..<start + 4, with: [level, level / 2, UInt8(x & 255), 255])
    }
  }
  return picture
}

func measureText(_ size: Size, fullBar: Double) {
  let name = "\(size.width)x\(size.height)"
  let out = TerminalBytes(capacity: 1 << 21)
  var encoder = FrameEncoder(depth: .trueColor, isSynchronized: true)
  let frame = textFrame(size)
  let content = FrameEncoder.Content(frame)
  let full = Timing.best(of: 200) {
    out.removeAll()
    encoder.forgetScreen()
    encoder.encode(content, into: out)
  }
  Measurement("frame \(name) full", full, unit: "ms", bar: fullBar).print()
  Measurement("frame \(name) full, size", Double(out.count) / 1024, unit: "KiB").print()
  for (perMille, label) in [(100, "10 %"), (1, "0.1 %")] {
    let frames = (1...50).map { FrameEncoder.Content(changed(frame, perMille: perMille, round: $0)) }
    var next = 0
    let time = Timing.best(of: 200) {
      out.removeAll()
      encoder.encode(frames[next % frames.count], into: out)
      next += 1
    }
    Measurement("frame \(name) \(label) changed", time, unit: "ms", bar: fullBar).print()
  }
  // The same cells in two places in memory, so that every one is compared.
  var copy = frame
  copy.replaceCells { $0 = $0.map { $0 } }
  let copies = [FrameEncoder.Content(frame), FrameEncoder.Content(copy)]
  encoder.encode(copies[0], into: out)
  out.removeAll()
  var next = 0
  let idle = Timing.best(of: 500) {
    next += 1
    encoder.encode(copies[next % 2], into: out)
  }
  precondition(out.isEmpty, "an unchanged frame writes nothing")
  Measurement("frame \(name) unchanged", idle * 1000, unit: "µs", bar: fullBar == 0.5 ? 20 : nil).print()
}

func measurePictures(_ size: Size) {
  let name = "\(size.width)x\(size.height)"
  for (mode, unit) in [(GraphicsMode.halfBlock, Size(width: 1, height: 2)), (.braille, Size(width: 2, height: 4))] {
    let pixels = Size(width: size.width * unit.width, height: size.height * unit.height)
    let pictures = (0..<10).map { shadedDisc(pixels, round: $0) }
    let cells = PictureCells(mode, depth: .trueColor)
    let out = TerminalBytes(capacity: 1 << 21)
    var encoder = FrameEncoder(depth: .trueColor, isSynchronized: true)
    var next = 0
    var (drawn, whole) = (Double.infinity, Double.infinity)
    for _ in 0..<100 {
      var frame = TextFrame(size: size, pixelsPerCell: unit)
      frame.place(pictures[next % pictures.count], in: Rect(size))
      next += 1
      out.removeAll()
      let start = Timing.milliseconds()
      cells.draw(&frame)
      let middle = Timing.milliseconds()
      encoder.encode(FrameEncoder.Content(frame), into: out)
      drawn = min(drawn, middle - start)
      whole = min(whole, Timing.milliseconds() - start)
    }
    Measurement("\(mode.rawValue) \(name), picture to cells", drawn, unit: "ms").print()
    Measurement("\(mode.rawValue) \(name), moving picture to bytes", whole, unit: "ms", bar: 16).print()
    Measurement("\(mode.rawValue) \(name), moving picture, size", Double(out.count) / 1024, unit: "KiB").print()
  }
}

measureText(Size(width: 200, height: 60), fullBar: 0.5)
measureText(Size(width: 400, height: 120), fullBar: 1.5)
measurePictures(Size(width: 200, height: 60))
measurePictures(Size(width: 400, height: 120))
