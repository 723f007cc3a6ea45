import PluginAPI

extension ViewerController {
  /// The size of the picture in pixels and their shape.
  ///
  /// Cells are assumed to be twice as high as wide; pixels of real pictures are square.
  var viewport: Viewport {
    let cell = geometry.pixelsPerCell
    let aspect = cell.width > 2 || cell.height < 1 ? 1 : 2 * Float(cell.width) / Float(cell.height)
    return Viewport(
      width: geometry.size.width * cell.width, height: geometry.size.height * cell.height, pixelAspect: aspect)
  }

  private var key: SceneKey {
    SceneKey(
      loading: shownLoading, model: model, mode: mode, scheme: scheme, copies: copies, selection: selection.version,
      others: structures.version, background: RGBColor(geometry.background.packed))
  }

  /// Requests a picture of the current state.
  ///
  /// The first picture of a scene is a draft, so that it appears quickly; the one with smooth edges follows.
  ///
  /// - Parameter isMoving: True if more will follow soon: then speed matters more than smooth edges.
  func render(isMoving: Bool) -> [Effect] {
    let viewport = self.viewport
    guard let molecule, viewport.width > 0, viewport.height > 0 else { return [] }
    let ready = prepared.flatMap { $0.key == key ? $0 : nil }
    let quality = ready == nil ? .moving : isMoving ? movingQuality : RenderQuality.still
    let request = RenderRequest(
      key: key, molecule: molecule, selection: selection.shown, prepared: ready, camera: camera, pose: pose,
      framing: framing, viewport: viewport, quality: quality, isDraft: ready == nil, effects: effects,
      extras: extras)
    if let running = queue.running, running.key != request.key {
      // The running rendering shows something else and is no longer needed.
      _ = queue.submit(request)
      return [.cancel(EffectID(Self.renderingName, generation: queue.generation))]
    }
    return queue.submit(request).map(start) ?? []
  }

  private func start(_ request: RenderRequest) -> [Effect] {
    let worker = self.worker
    let id = EffectID(Self.renderingName, generation: queue.generation)
    let told = request.prepared == nil ? announceStart("drawing", id) : []
    return told + [.compute(id, label: "drawing") { try worker.draw(request, $0) }]
  }

  /// Receives a drawn picture; one of another molecule, mode or size is dropped.
  func take(_ result: RenderResult, generation: Int) -> [Effect] {
    let (counts, next) = queue.end(generation: generation)
    guard counts else { return [] }
    let id = EffectID(Self.renderingName, generation: generation)
    var hasMoved = false
    if result.prepared.key == key {
      prepared = result.prepared
      hasMoved = takeFrame(result)
      if result.viewport == viewport {
        picture = result.picture
        drawnPictures += 1
        pictureCamera = result.camera
        message = ""
        needsStill = result.quality < .still
        // The first picture is slow for reasons that do not affect the next ones.
        if !result.isDraft { movingQuality = result.quality.next(after: result.seconds) }
      }
    }
    if let next { return announceEnd(id) + start(refreshed(next)) }
    if result.isDraft, needsStill, !isSpinning { return goOn(id) }
    if hasMoved { return announceEnd(id) + render(isMoving: true) }
    return announceEnd(id) + (needsStill ? [settle] : drawLabels())
  }

  /// Receives the camera that waited for its frame, and applies the waiting motions; returns true if it moved.
  private func takeFrame(_ result: RenderResult) -> Bool {
    guard camera == nil, result.framing == framing else { return false }
    var framed = result.camera
    for move in waitingMoves { move(&framed) }
    (camera, waitingMoves) = (framed, [])
    return framed != result.camera
  }

  // MARK: Frames

  /// The rotation of the view, without zoom and pan.
  var turn: ViewerState.Pose? {
    camera.map { ViewerState.Pose(orientation: $0.orientation.quaternion) }
      ?? pose.map { ViewerState.Pose(orientation: $0.orientation) }
  }

  /// Draws the whole scene in a new frame.
  ///
  /// - Parameter pose: The viewpoint; nil to look along the shortest axis of the scene.
  func showAll(from pose: ViewerState.Pose?) -> [Effect] {
    self.pose = pose
    (camera, movingQuality) = (nil, .moving)
    return render(isMoving: false)
  }

  /// Draws the whole scene, unless the user has zoomed, panned or aimed the view.
  func showAllUnlessAimed() -> [Effect] {
    if camera?.showsAll ?? false { return showAll(from: turn) }
    movingQuality = .moving
    return render(isMoving: false)
  }

  /// Draws the still picture after a draft; observers see both as one drawing.
  private func goOn(_ draft: EffectID) -> [Effect] {
    let effects = render(isMoving: false)
    guard announced?.id == draft else { return effects }
    if queue.isIdle { return announceEnd(draft) + effects }
    announced = (EffectID(Self.renderingName, generation: queue.generation), 0)
    return effects
  }

  /// Returns the request updated with later information.
  private func refreshed(_ request: RenderRequest) -> RenderRequest {
    var request = request
    if request.prepared == nil, let prepared, prepared.key == request.key { request.prepared = prepared }
    if request.camera == nil { request.camera = camera }
    return request
  }

  private var settle: Effect { .timer(Self.settling, seconds: 0.2, repeats: false) }

  /// Records that a rendering ended without a picture.
  func renderingEnded(_ generation: Int) -> [Effect] {
    let (counts, next) = queue.end(generation: generation)
    guard counts else { return [] }
    let end = announceEnd(EffectID(Self.renderingName, generation: generation))
    return end + (next.map { start(refreshed($0)) } ?? [])
  }

  /// Records that a rendering was canceled: by a newer request, or else by the user.
  func renderingCancelled(_ generation: Int) -> [Effect] {
    var effects: [Effect] = []
    if generation == queue.generation, queue.pending == nil {
      if isSpinning {
        isSpinning = false
        effects.append(spinTimer)
      }
      if prepared?.key != key {
        picture = nil
        message = "drawing was cancelled; r draws it again"
      }
    }
    return effects + renderingEnded(generation)
  }

  // MARK: Telling how far it is

  /// Reports the start of work that may take long; frames of a rotating molecule are not reported.
  func announceStart(_ label: String, _ id: EffectID) -> [Effect] {
    let end = announced.map { announceEnd($0.id) } ?? []
    announced = (id, 0)
    return end + [.notify(topic: ViewerTopic.started.rawValue, ["label": .text(label)])]
  }

  /// Reports progress in steps of one hundredth.
  func progressed(_ id: EffectID, _ progress: Progress) -> [Effect] {
    guard let before = announced, before.id == id, let fraction = progress.fraction, fraction.isFinite else {
      return []
    }
    let hundredths = Int(min(max(0, fraction), 1) * 100)
    guard hundredths > before.hundredths else { return [] }
    announced = (id, hundredths)
    return [
      .notify(topic: ViewerTopic.updated.rawValue, ["label": .text(progress.label), "fraction": .number(fraction)])
    ]
  }

  /// Reports the end of announced work.
  func announceEnd(_ id: EffectID) -> [Effect] {
    guard announced?.id == id else { return [] }
    announced = nil
    return [.notify(topic: ViewerTopic.ended.rawValue, Value.record(Record()))]
  }
}

/// The topics that a viewer publishes while it loads and draws.
enum ViewerTopic: String, CaseIterable {
  case started = "rendering-started"
  case updated = "rendering-updated"
  case ended = "rendering-ended"

  /// The descriptions for the host.
  static let descriptions = [
    TopicDescription(
      started.rawValue, "loading or drawing a molecule begins",
      payload: .record([.init("label", .text, "what is done")])),
    TopicDescription(
      updated.rawValue, "it goes on",
      payload: .record([.init("label", .text, "what is done"), .init("fraction", .number, "the part done, 0 to 1")])),
    TopicDescription(ended.rawValue, "it ended, however it did", payload: .record([])),
  ]
}
