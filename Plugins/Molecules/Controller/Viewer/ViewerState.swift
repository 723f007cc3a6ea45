import PluginAPI

/// What a viewer keeps from one run to the next: which molecule, from where, and how.
struct ViewerState: Equatable, Sendable {
  /// Where the camera was, whatever it looked at.
  struct Pose: Equatable, Sendable {
    /// The quaternion of the turn: x, y, z, w.
    var orientation = SIMD4<Float>(0, 0, 0, 1)
    var zoom: Float = 1
    var pan = SIMD2<Float>.zero
  }

  /// The molecule's number in the library.
  var molecule: Int?
  /// Model index, 0-based.
  var model = 0
  var mode: RenderMode?
  var scheme: ColorScheme?
  var pose: Pose?
  /// The word for the copies shown; nil for the model as it is in the file.
  var copies: String?
  var effects = RenderEffects()
  /// The selection as it was written, empty for none, and those kept by name.
  var selection = ""
  var sets: [String] = []
}

extension ViewerState {
  /// Reads a state; nil if the bytes are none.
  init?(_ bytes: [UInt8]) {
    guard let value = try? Value(decoding: bytes), value.record != nil else { return nil }
    molecule = value["molecule"].integer
    model = max(0, value["model"].integer ?? 0)
    mode = value["mode"].text.flatMap(RenderMode.init(name:))
    scheme = value["color"].text.flatMap(ColorScheme.init(rawValue:))
    copies = value["copies"].text
    effects = RenderEffects(
      hasOcclusion: value["occlusion"].bool ?? true, hasOutlines: value["outline"].bool ?? true,
      hasFog: value["fog"].bool ?? true)
    selection = value["selection"].text ?? ""
    sets = (value["sets"].list ?? []).compactMap(\.text)
    let numbers = (value["pose"].list ?? []).compactMap(\.number).map { Float($0) }
    guard numbers.count == 7, numbers.allSatisfy(\.isFinite), numbers[4] > 0 else { return }
    pose = Pose(
      orientation: SIMD4(numbers[0], numbers[1], numbers[2], numbers[3]), zoom: numbers[4],
      pan: SIMD2(numbers[5], numbers[6]))
  }

  /// The state as bytes.
  var bytes: [UInt8] {
    let numbers = pose.map { pose in
      [
        pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w, pose.zoom, pose.pan.x,
        pose.pan.y,
      ]
    }
    let value: Value = [
      "molecule": .optional(molecule), "model": .integer(model), "mode": .optional(mode?.name),
      "color": .optional(scheme?.rawValue), "pose": .list((numbers ?? []).map { .number(Double($0)) }),
      "copies": .optional(copies), "occlusion": .bool(effects.hasOcclusion), "outline": .bool(effects.hasOutlines),
      "fog": .bool(effects.hasFog),
      "selection": .text(selection), "sets": .list(sets.map(Value.text)),
    ]
    return value.encoded()
  }
}

extension Camera {
  /// Where the camera is, whatever it looks at.
  var pose: ViewerState.Pose {
    ViewerState.Pose(orientation: orientation.quaternion, zoom: zoom, pan: pan)
  }
}
