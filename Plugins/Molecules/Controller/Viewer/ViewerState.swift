import PluginAPI

/// The state of a viewer that is saved between runs: molecule, viewpoint and style.
struct ViewerState: Equatable, Sendable {
  /// The viewpoint of the camera, independent of its target.
  struct Pose: Equatable, Sendable {
    /// The quaternion of the rotation: x, y, z, w.
    var orientation = SIMD4<Float>(0, 0, 0, 1)
    var zoom: Float = 1
    var pan = SIMD2<Float>.zero
    /// The target and the extent of the view; nil for the whole scene.
    var frame: Camera.Frame?
  }

  /// The molecule's number in the library.
  var molecule: Int?
  /// The model index, 0-based.
  var model = 0
  var mode: RenderMode?
  var scheme: ColorScheme?
  var pose: Pose?
  var labels = LabelKind.none
  /// The word for the shown copies; nil for the model as deposited.
  var copies: String?
  var effects = RenderEffects()
  /// The text of the selection, empty for none.
  var selection = ""
  var sets: [String] = []
}

extension ViewerState {
  /// Decodes a state; returns nil if the bytes are malformed.
  init?(_ bytes: [UInt8]) {
    guard let value = try? Value(decoding: bytes), value.record != nil else { return nil }
    self.init(value)
  }

  /// Creates a state from its value form; missing parts have their defaults.
  init(_ value: Value) {
    molecule = value["molecule"].integer
    model = max(0, value["model"].integer ?? 0)
    mode = value["mode"].text.flatMap(RenderMode.init(name:))
    scheme = value["color"].text.flatMap(ColorScheme.init(rawValue:))
    labels = value["labels"].text.flatMap(LabelKind.init(rawValue:)) ?? .none
    copies = value["copies"].text
    effects = RenderEffects(
      hasOcclusion: value["occlusion"].bool ?? true, hasOutlines: value["outline"].bool ?? true,
      hasFog: value["fog"].bool ?? true)
    selection = value["selection"].text ?? ""
    sets = (value["sets"].list ?? []).compactMap(\.text)
    let numbers = (value["pose"].list ?? []).compactMap(\.number).map { Float($0) }
    guard numbers.count == 7 || numbers.count == 13, numbers.allSatisfy(\.isFinite), numbers[4] > 0 else { return }
    pose = Pose(
      orientation: SIMD4(numbers[0], numbers[1], numbers[2], numbers[3]), zoom: numbers[4],
      pan: SIMD2(numbers[5], numbers[6]),
      frame: numbers.count == 13 ? Camera.Frame(numbers[7...]) : nil)
  }

  /// The state as bytes.
  var bytes: [UInt8] { value.encoded() }

  /// The state as a record.
  var value: Value {
    let numbers = pose.map { pose in
      [
        pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w, pose.zoom, pose.pan.x,
        pose.pan.y,
      ] + (pose.frame?.numbers ?? [])
    }
    return [
      "molecule": .optional(molecule), "model": .integer(model), "mode": .optional(mode?.name),
      "color": .optional(scheme?.rawValue), "labels": .text(labels.rawValue), "copies": .optional(copies),
      "occlusion": .bool(effects.hasOcclusion), "outline": .bool(effects.hasOutlines), "fog": .bool(effects.hasFog),
      "selection": .text(selection), "sets": .list(sets.map(Value.text)),
      "pose": .list((numbers ?? []).map { .number(Double($0)) }),
    ]
  }
}

extension Camera {
  /// The viewpoint of the camera, independent of its target.
  var pose: ViewerState.Pose {
    ViewerState.Pose(orientation: orientation.quaternion, zoom: zoom, pan: pan, frame: frame)
  }

  /// Restores the viewpoint of a camera.
  mutating func take(_ pose: ViewerState.Pose) {
    look(from: Rotation(kept: pose.orientation), zoom: pose.zoom, pan: pose.pan)
    if let frame = pose.frame { self.frame = frame }
  }
}

extension Camera.Frame {
  /// Creates a frame from six numbers: target, extent, reach.
  fileprivate init(_ numbers: ArraySlice<Float>) {
    let start = numbers.startIndex
    self.init(
      target: SIMD3(numbers[start], numbers[start + 1], numbers[start + 2]),
      extent: SIMD2(numbers[start + 3], numbers[start + 4]), depthReach: numbers[start + 5])
  }

  fileprivate var numbers: [Float] { [target.x, target.y, target.z, extent.x, extent.y, depthReach] }
}

/// The views before and after the current one, for undo and redo.
struct ViewerHistory: Equatable, Sendable {
  /// The largest number of undo steps.
  static let limit = 200
  /// The pause in seconds that separates changes of one kind into steps.
  static let pauseInSeconds = 1.0

  private(set) var past: [ViewerState] = []
  private(set) var future: [ViewerState] = []
  private var lastKind: String?
  private var lastTime: Instant?

  /// Records the view before a change.
  ///
  /// - Parameters:
  ///   - before: The view before.
  ///   - kind: What changed; nil for a change that is always a step of its own.
  ///   - now: The time of the change.
  mutating func note(_ before: ViewerState, kind: String?, at now: Instant) {
    defer { (lastKind, lastTime) = (kind, now) }
    future = []
    if let kind, kind == lastKind, let lastTime, now.seconds(since: lastTime) < Self.pauseInSeconds { return }
    past.append(before)
    if past.count > Self.limit { past.removeFirst() }
  }

  /// Ends a run of changes: the next one is a separate step.
  mutating func endRun() { lastKind = nil }

  /// Returns the previous view; nil if there is none.
  mutating func undo(from current: ViewerState) -> ViewerState? {
    guard let state = past.popLast() else { return nil }
    future.append(current)
    endRun()
    return state
  }

  /// Returns the next view; nil if there is none.
  mutating func redo(from current: ViewerState) -> ViewerState? {
    guard let state = future.popLast() else { return nil }
    past.append(current)
    endRun()
    return state
  }
}
