import PluginAPI

/// The pictures of a viewer: the camera, the running and the waiting request, and the last picture.
@MainActor struct ViewerPictures {
  /// The size and background of the picture.
  private(set) var geometry = ScreenGeometry(size: Size(width: 0, height: 0))
  /// The message shown if there is no picture.
  private(set) var message = ""
  private var frame = Frame.requested(pose: nil, moves: [])
  /// The number of frames requested so far, for dropping the cameras of earlier ones.
  private var frameCount = 0
  private var queue = RenderQueue<RenderRequest>()
  private(set) var prepared: PreparedScene?
  private(set) var picture: Picture?
  /// The camera of the picture, for the labels on it.
  private(set) var pictureCamera: Camera?
  /// The number of pictures drawn so far.
  private var drawnCount = 0
  /// A Boolean value indicating whether the shown picture lacks smooth edges.
  private(set) var needsStill = false
  /// The quality of pictures during motion, adapted to the last drawing time.
  private var movingQuality = RenderQuality.moving
  /// The labels as last drawn in the pixels of a picture.
  private var labeled: LabeledPicture?

  private typealias Move = (inout Camera) -> Void

  /// The frame of the picture: the camera, or the request for it.
  private enum Frame {
    /// The next drawing frames the scene from a viewpoint, nil to look along its shortest axis; then the camera moves.
    case requested(pose: ViewerState.Pose?, moves: [Move])
    case taken(Camera)
  }

  // MARK: The viewpoint

  /// The camera; nil until the scene to frame is ready.
  var camera: Camera? { if case .taken(let camera) = frame { camera } else { nil } }

  /// The viewpoint of the requested frame.
  private var pose: ViewerState.Pose? { if case .requested(let pose, _) = frame { pose } else { nil } }

  /// The viewpoint of the camera, or of the requested frame.
  var viewpoint: ViewerState.Pose? { camera?.pose ?? pose }

  /// The rotation of the view, without zoom and pan.
  var turn: ViewerState.Pose? {
    camera.map { ViewerState.Pose(orientation: $0.orientation.quaternion) }
      ?? pose.map { ViewerState.Pose(orientation: $0.orientation) }
  }

  /// Looks at another molecule.
  ///
  /// Its picture replaces the present one only when it is ready, to avoid flicker.
  mutating func look(atNewMoleculeFrom pose: ViewerState.Pose?) {
    prepared = nil
    message = ""
    requestFrame(from: pose, moves: [])
  }

  /// Frames the whole scene again; motions that wait for an earlier frame wait for this one.
  ///
  /// - Parameter pose: The viewpoint; nil to look along the shortest axis of the scene.
  mutating func frame(from pose: ViewerState.Pose?) {
    let moves = if case .requested(_, let moves) = frame { moves } else { [Move]() }
    requestFrame(from: pose, moves: moves)
  }

  private mutating func requestFrame(from pose: ViewerState.Pose?, moves: [Move]) {
    frame = .requested(pose: pose, moves: moves)
    frameCount += 1
    movingQuality = .moving
  }

  /// Moves the camera; while it waits for its frame, the motion waits too.
  ///
  /// - Returns: True if it moved.
  mutating func move(_ change: @escaping (inout Camera) -> Void) -> Bool {
    switch frame {
    case .requested(let pose, let moves):
      frame = .requested(pose: pose, moves: moves + [change])
      return false
    case .taken(let camera):
      var moved = camera
      change(&moved)
      frame = .taken(moved)
      return moved != camera
    }
  }

  /// Restores a viewpoint.
  mutating func look(from pose: ViewerState.Pose?) {
    movingQuality = .moving
    if let pose, pose.frame != nil, var camera {
      camera.take(pose)
      frame = .taken(camera)
    } else {
      // The view was never drawn: its frame is computed now.
      frame(from: pose)
    }
  }

  // MARK: Drawing

  /// Sets the part of the screen for later pictures.
  mutating func layOut(in geometry: ScreenGeometry) {
    self.geometry = geometry
    movingQuality = .moving
  }

  /// Resets the quality during motion after a change of the scene, whose drawing time is not known.
  mutating func sceneChanged() { movingQuality = .moving }

  /// Shows a message in place of a picture.
  mutating func show(message: String) { self.message = message }

  /// The size of the picture in pixels and their shape.
  ///
  /// Cells are assumed to be twice as high as wide; pixels of real pictures are square.
  var viewport: Viewport {
    let cell = geometry.pixelsPerCell
    let aspect = cell.width > 2 || cell.height < 1 ? 1 : 2 * Float(cell.width) / Float(cell.height)
    return Viewport(
      width: geometry.size.width * cell.width, height: geometry.size.height * cell.height, pixelAspect: aspect)
  }

  /// A Boolean value indicating whether nothing is being drawn.
  var isIdle: Bool { queue.running == nil }

  /// A Boolean value indicating whether a request waits for the picture that is being drawn.
  var isWaiting: Bool { queue.waiting != nil }

  private func key(of scene: ViewerScene) -> SceneKey { scene.key(on: RGBColor(geometry.background.packed)) }

  /// Requests a picture of the current state.
  ///
  /// The first picture of a scene is a draft, so that it appears quickly; the one with smooth edges follows.
  ///
  /// - Parameter isMoving: True if more pictures follow soon, so that speed matters more than smooth edges.
  /// - Returns: The request if it is to be drawn now, in place of any that is being drawn; nil if it waits, or if there
  ///   is nothing to draw.
  mutating func request(_ scene: ViewerScene, isMoving: Bool) -> RenderRequest? {
    let viewport = self.viewport
    guard let molecule = scene.molecule, viewport.width > 0, viewport.height > 0 else { return nil }
    let key = key(of: scene)
    let ready = prepared.flatMap { $0.key == key ? $0 : nil }
    let quality = ready == nil ? .moving : isMoving ? movingQuality : RenderQuality.still
    let request = RenderRequest(
      key: key, molecule: molecule, selection: scene.selection.shown, prepared: ready, camera: camera, pose: pose,
      framing: frameCount, viewport: viewport, quality: quality, isDraft: ready == nil, effects: scene.effects,
      extras: scene.extras)
    // If the running drawing shows something else, it is no longer needed.
    if let running = queue.running, running.key != key { queue.cancel() }
    return queue.submit(request)
  }

  /// Stores a drawn picture unless it shows another molecule, mode or size.
  ///
  /// - Returns: True if motions that waited for the frame moved the camera.
  mutating func take(_ result: RenderResult, of scene: ViewerScene) -> Bool {
    guard result.prepared.key == key(of: scene) else { return false }
    prepared = result.prepared
    let hasMoved = takeFrame(result)
    if result.viewport == viewport {
      picture = result.picture
      drawnCount += 1
      pictureCamera = result.camera
      message = ""
      needsStill = result.quality < .still
      // The first picture is slow for reasons that do not affect the next ones.
      if !result.isDraft { movingQuality = result.quality.next(after: result.seconds) }
    }
    return hasMoved
  }

  /// Stores the camera of the requested frame and applies the waiting motions; returns true if they moved it.
  private mutating func takeFrame(_ result: RenderResult) -> Bool {
    guard case .requested(_, let moves) = frame, result.framing == frameCount else { return false }
    var framed = result.camera
    for move in moves { move(&framed) }
    frame = .taken(framed)
    return framed != result.camera
  }

  /// Records that the drawing ended, for any reason.
  ///
  /// - Returns: The request that waited, which is to be drawn now.
  mutating func drawingEnded() -> RenderRequest? {
    guard var request = queue.end() else { return nil }
    // The scene and the camera may have become known while the request waited.
    if request.prepared == nil, let prepared, prepared.key == request.key { request.prepared = prepared }
    if request.camera == nil { request.camera = camera }
    return request
  }

  /// Records that the user canceled the drawing.
  mutating func drawingCanceled(of scene: ViewerScene) {
    guard prepared?.key != key(of: scene) else { return }
    picture = nil
    message = "Drawing canceled; press r to draw again"
  }

  /// Removes the picture.
  mutating func clear() { (picture, prepared) = (nil, nil) }

  // MARK: Labels

  /// The picture as shown, and the labels over it as cells of text.
  ///
  /// On terminals that show pixels, labels are drawn into the picture, as text over it would turn pixels into blocks.
  func shown(_ scene: ViewerScene) -> (picture: Picture?, labels: [LabelLayout.Placed]) {
    guard let picture, let pictureCamera else { return (picture, []) }
    let labels = scene.shownLabels
    if labels.isEmpty { return (picture, []) }
    if showsPixels { return (labeled(picture, scene), []) }
    let layout = LabelLayout(width: geometry.size.width, height: geometry.size.height)
    return (picture, layout.place(labels, from: pictureCamera, onto: viewport))
  }

  /// A Boolean value indicating whether the terminal shows real pixels: cells are many pixels wide then.
  private var showsPixels: Bool { geometry.pixelsPerCell.width > 2 }

  /// Returns the picture with labels in its pixels: in a system font once drawn, in the bitmap font before.
  func labeled(_ picture: Picture, _ scene: ViewerScene) -> Picture {
    guard let pictureCamera else { return picture }
    if let labeled, labeled.source == labelSource(scene) { return labeled.picture }
    var painted = picture
    LabelPainter(for: picture.size).paint(scene.shownLabels, from: pictureCamera, into: &painted)
    return painted
  }

  /// The inputs of the labeled picture.
  private func labelSource(_ scene: ViewerScene) -> LabeledPicture.Source? {
    pictureCamera.map { LabeledPicture.Source(labels: scene.shownLabels, camera: $0, drawing: drawnCount) }
  }

  /// Returns the still picture and the labels to draw on it in a system font; nil if they are drawn, or if there are
  /// none.
  func labelRequest(_ scene: ViewerScene) -> (picture: Picture, source: LabeledPicture.Source)? {
    guard showsPixels, !needsStill, let picture, let source = labelSource(scene), !source.labels.isEmpty,
      labeled?.source != source
    else { return nil }
    return (picture, source)
  }

  /// Stores a picture with labels unless it belongs to an earlier picture.
  mutating func take(_ labeled: LabeledPicture, of scene: ViewerScene) {
    if labeled.source == labelSource(scene) { self.labeled = labeled }
  }
}

/// A picture with labels in its pixels, and its inputs.
struct LabeledPicture: Sendable {
  struct Source: Equatable, Sendable {
    var labels: [SceneLabel]
    var camera: Camera
    /// The number of the underlying picture among those the viewer has drawn.
    var drawing: Int
  }

  let source: Source
  let picture: Picture

  /// Draws labels over a picture in a system font.
  init(_ source: Source, over picture: Picture) {
    self.source = source
    self.picture = LabelPainter(for: picture.size).written(
      source.labels, over: picture, from: source.camera, by: OverlayFont.draw)
  }
}

/// A queue with at most one running and one waiting request: the newest request wins, those between are dropped.
struct RenderQueue<Request> {
  private(set) var running: Request?
  private(set) var waiting: Request?

  /// Submits a request.
  ///
  /// - Returns: The request if it starts now; nil if it waits.
  mutating func submit(_ request: Request) -> Request? {
    if running != nil {
      waiting = request
      return nil
    }
    running = request
    return request
  }

  /// Records that the running request ended, for any reason.
  ///
  /// - Returns: The request that waited, which starts now.
  mutating func end() -> Request? {
    (running, waiting) = (waiting, nil)
    return running
  }

  /// Drops all requests.
  mutating func cancel() { (running, waiting) = (nil, nil) }
}
