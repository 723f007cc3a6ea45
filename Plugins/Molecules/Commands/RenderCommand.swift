import PluginAPI
import PluginImages

/// The command that draws a molecule.
enum RenderCommand {
  static let command = CommandPart(
    CommandDescription("render", "Draw a molecule of the library or a file", output: .init(.picture))
      .taking(MoleculeInputs.molecule).takingPictureOptions()
      .explained(
        """
        Without a rotation, the longest axis of the molecule is horizontal. Rotations are about the axes of the picture, \
        in this order: x to the right, y up, z toward the viewer.
        """,
        examples: [
          .init("render 1bna", "Draw in the terminal"),
          .init("render 4hhb.pdb.gz --mode spacefilling --color chain --output 4hhb.png", "Write a PNG file"),
          .init("render 2btv.pdb.gz --assembly 1 --color chain --size 1600x1200 --output 2btv.png", "The whole capsid"),
          .init("render 4hhb.cif --select 'byres within 5 of resn HEM'", "A part of the molecule"),
          .init("render caffeine --rotate 0,90,0 --zoom 1.5", "From the side, enlarged"),
          .init("render b-dna --mode cartoon --label chains", "Ribbons and bases, with the chain ends labeled"),
          .init("render 4hhb.cif --mode surface --color b-factor --legend", "The surface, colored by B factor"),
        ]
      ).findable(by: ["png", "image", "picture", "screenshot", "save picture"]), draw)

  /// The default size of a picture in pixels.
  private static let standardSize = Size(width: 1280, height: 960)
  /// The largest side of a picture in pixels.
  private static let largestSide = 16_384
  /// The largest total number of pixels of all pictures of a call: 256 MiB.
  private static let mostPixels = 1 << 26

  @Sendable private static func draw(_ call: CommandCall) async throws {
    let (picture, molecule, model) = try await drawing(call, size: standardSize, frames: 1)
    let drawn = try await MoleculeLibrary(call).computed("drawing") { progress in
      let drawn = picture.draw(molecule) { share in
        progress.report(Progress("drawing", fraction: share))
        return !progress.isCancelled
      }
      guard let drawn else { throw CancellationError() }
      return drawn
    }
    report(picture, molecule, model: model, call)
    try await call.emit(.picture(drawn))
  }

  /// Returns the index of the model denoted by a word, 0-based; nil for all of them.
  private static func number(ofModel word: String) throws(ErrorReport) -> Int? {
    if word == "all" { return nil }
    guard let number = Int(word), number >= 1 else {
      throw ErrorReport(
        code: MoleculeError.unknownModel.code, kind: .usage, "'\(word)' is not a model",
        advice: "give a number from 1, or 'all'", details: ["model": .text(word)])
    }
    return number - 1
  }

  private static func copies(_ word: String, of molecule: Molecule) throws(ErrorReport) -> SceneCopies {
    guard let copies = SceneCopies(word, of: molecule.structure) else {
      let known = SceneCopies.all(of: molecule.structure).map { "'\($0.word)'" }
      throw MoleculeError.unknownAssembly(
        "the molecule has no assembly '\(word)'", advice: "choose one of " + known.joined(separator: ", "),
        details: ["assembly": .text(word)])
    }
    return copies
  }

  /// Returns the picture requested by a call, its molecule, and the first of its models to draw.
  ///
  /// - Parameters:
  ///   - size: the default size in pixels.
  ///   - frames: the number of such pictures in the call.
  /// - Throws: ``MoleculeError``.
  fileprivate static func drawing(
    _ call: CommandCall, size: Size, frames: Int
  ) async throws -> (picture: StillPicture, Molecule, model: Int) {
    let selection = try SelectionOptions.selection(call)
    let model = try number(ofModel: call[PictureOptions.model])
    var picture = try picture(call, size: size, frames: frames)
    let library = try MoleculeLibrary(call)
    let molecule = try await library.molecule(call[MoleculeInputs.molecule], bonds: .needed)
    if let model { try MoleculeInputs.check(model, in: molecule) }
    picture.firstPicture = library.context[FirstPicture.setting]
    picture.copies = try copies(call[PictureOptions.assembly], of: molecule)
    picture.models = model.map { [$0] } ?? Array(molecule.structure.models.indices)
    picture.selection = try await SelectionOptions.atoms(
      selection, of: molecule.structure, models: picture.models, library)
    if call[PictureOptions.legend] { picture.legend = legend(of: picture, molecule) }
    return (picture, molecule, picture.models.first ?? 0)
  }

  /// Returns the legend of a picture in the requested colors, or those of its mode.
  private static func legend(of picture: StillPicture, _ molecule: Molecule) -> ColorLegend? {
    guard let model = picture.models.first else { return nil }
    let mode = picture.mode(for: molecule, model: model)
    let scheme = picture.scheme ?? MoleculeGeometry.standardScheme(of: molecule.structure, model: model, mode: mode)
    return ColorLegend.of(molecule.structure, scheme: scheme, drawn: picture.drawnAtoms(of: molecule, model: model))
  }

  /// Returns the picture requested by a call, without its selection.
  ///
  /// - Throws: ``MoleculeError/pictureTooLarge``.
  private static func picture(_ call: CommandCall, size: Size, frames: Int) throws -> StillPicture {
    let size = call.presentation.pictureSize ?? size
    let isFitting = size.width <= largestSide && size.height <= largestSide
    guard isFitting, size.width * size.height * frames <= mostPixels else {
      let pixels = "\(size.width)×\(size.height) pixels"
      throw MoleculeError.pictureTooLarge(
        frames == 1
          ? "a picture of \(pixels) is too large" : "\(frames) pictures of \(pixels) are too large",
        advice: "use at most \(largestSide) pixels per side and \(mostPixels) pixels in total",
        details: ["width": .integer(size.width), "height": .integer(size.height), "frames": .integer(frames)])
    }
    var picture = StillPicture(size: size)
    picture.mode = call[PictureOptions.mode]
    picture.scheme = call[PictureOptions.color]
    picture.labels = call[PictureOptions.label]
    picture.rotation = call[PictureOptions.rotate]
    picture.zoom = Float(call[PictureOptions.zoom])
    picture.background = call[PictureOptions.background]
    picture.effects = RenderEffects(
      hasOcclusion: call[PictureOptions.occlusion], hasOutlines: call[PictureOptions.outline],
      hasFog: call[PictureOptions.fog])
    picture.isBest = call[PictureOptions.quality] == .best
    picture.work = DrawingThreads.shared.work
    picture.drawsOverlay = OverlayFont.draw
    return picture
  }

  /// Reports the meaning of the requested colors, and the parts that the mode does not show.
  fileprivate static func report(_ picture: StillPicture, _ molecule: Molecule, model: Int, _ call: CommandCall) {
    let mode = picture.mode(for: molecule, model: model)
    if picture.scheme == .plddt, let doubt = molecule.structure.doubtAboutConfidence(ofModel: model) {
      call.warn(
        Diagnostic(.warning, code: "molecules.not-predicted", doubt, advice: "use '--color b-factor'"))
    }
    if picture.labels != .none {
      let drawn = picture.drawnAtoms(of: molecule, model: model)
      let labels = SceneLabel.labels(picture.labels, of: molecule.structure, drawn: drawn)
      if let note = picture.labels.note(on: drawn, labels: labels) { call.warn(note) }
    }
    if picture.scheme != nil, let legend = picture.legend ?? Self.legend(of: picture, molecule) {
      call.warn(Diagnostic(.note, code: "molecules.color-legend", "colored by " + legend.text))
    }
    guard mode.showsPolymers else { return }
    if let note = picture.geometry(of: molecule, model: model, mode: mode).note(on: mode) {
      call.warn(Diagnostic(.note, code: "molecules.not-all-shown", note))
    }
  }
}

/// The options that `render` and `animate` share.
private enum PictureOptions {
  /// The ways to find ambient occlusion.
  enum Quality: String, CaseIterable, ParameterValue {
    case normal, best
  }

  static let mode = Option(
    "mode", RenderMode.self,
    "Drawing mode; by default cartoon for polymers and molecules in a box of water, else ball-and-stick for fewer than "
      + "600 atoms with bonds, else spacefilling; see setting 'first-picture'")
  static let color = Option(
    "color", ColorScheme.self,
    "Color scheme; by default residue for cylinders, chain for ribbons and surfaces of several chains, else element")
  static let label = Option("label", "Labels in the picture", default: LabelKind.none)
  static let legend = Option(flag: "legend", "Draw a color legend in the lower left corner")
  /// Angles about x, y and z in degrees.
  static let rotate = Option(
    Parameter(
      "rotate", .numbers(count: 3), "Rotation about x, y and z, in this order", unit: "degree",
      defaultValue: [0, 0, 0])
  ) { value in
    (value.list?.compactMap(\.number)).flatMap { $0.count == 3 ? SIMD3($0.map { Float($0) }) : nil }
  }
  static let zoom = Option("zoom", in: 0.02...200, "Zoom factor; 1 shows the whole molecule", default: 1)
  static let model = Option("model", "Model, counted from 1; or 'all' to overlay all models", default: "1")
  static let assembly = Option(
    "assembly",
    "Copies to draw: the name of an assembly, unit-cell, neighbors (in the crystal) or none", default: "none")
  static let occlusion = onOrOff("occlusion", "Ambient occlusion, which darkens pockets")
  static let outline = onOrOff("outline", "Dark outlines")
  static let fog = onOrOff("fog", "Fog, which fades distant parts")
  static let quality = Option(
    "quality",
    "Quality of ambient occlusion; best samples 44 directions and takes longer",
    default: Quality.normal)
  static let background = Option(
    "background", "Background; with none, the terminal or page shows through",
    default: StillPicture.Background.none)

  private static func onOrOff(_ name: String, _ summary: String) -> Option<Bool> {
    Option(Parameter(name, .choice(["on", "off"]), summary, defaultValue: "on")) { $0.text.map { $0 == "on" } }
  }
}

extension CommandDescription {
  /// Returns the same description with the options that `render` and `animate` share.
  fileprivate func takingPictureOptions() -> CommandDescription {
    taking(
      PictureOptions.mode, PictureOptions.color, PictureOptions.label, PictureOptions.legend, PictureOptions.rotate,
      PictureOptions.zoom, PictureOptions.model, PictureOptions.assembly, PictureOptions.occlusion,
      PictureOptions.outline, PictureOptions.fog, PictureOptions.quality, PictureOptions.background,
      SelectionOptions.select, SelectionOptions.set)
  }
}

/// The command that draws a rotating molecule.
enum AnimateCommand {
  static let command = CommandPart(
    CommandDescription(
      "animate", "Draw an animation of a rotating molecule", output: .init(.picture, isStream: true)
    )
    .taking(MoleculeInputs.molecule, frames, spin).takingPictureOptions()
    .explained(
      """
      With an output file, the pictures become one animated PNG, which loops at 25 pictures per second. Programs that \
      do not support animated PNG show the first picture.
      """,
      examples: [
        .init("animate b-dna --mode cartoon --output b-dna.png", "One turn in 36 pictures"),
        .init("animate 1crn --frames 90 --spin 360 --size 320x240 --output 1crn.png", "Smaller and slower"),
      ]
    ).findable(by: ["movie", "video", "apng", "turntable"]), draw)

  private static let frames = Option("frames", in: 1...1000, "Number of pictures", default: 36)
  private static let spin = Option(
    "spin", in: -36_000...36_000,
    "Rotation about the vertical axis over the whole animation",
    unit: "degree", default: 360.0)

  /// The default size of pictures in pixels.
  private static let standardSize = Size(width: 640, height: 480)

  @Sendable private static func draw(_ call: CommandCall) async throws {
    let (frames, spin) = (call[frames], Float(call[spin]))
    let (picture, molecule, model) = try await RenderCommand.drawing(call, size: standardSize, frames: frames)
    let library = try MoleculeLibrary(call)
    let scene = try await library.computed("drawing") { progress in
      guard let scene = picture.scene(of: molecule, progress: { _ in !progress.isCancelled }) else {
        throw CancellationError()
      }
      return scene
    }
    let labels = picture.labels(of: molecule, model: model)
    RenderCommand.report(picture, molecule, model: model, call)
    for frame in 0..<frames {
      var turned = picture
      turned.spin = spin * Float(frame) / Float(frames)
      let wanted = turned
      let drawn = try await library.computed("drawing") { progress in
        guard let drawn = wanted.draw(scene, labels: labels, progress: { _ in !progress.isCancelled }) else {
          throw CancellationError()
        }
        return drawn
      }
      call.report(Progress("drawing", fraction: Double(frame + 1) / Double(frames)))
      try await call.emit(.picture(drawn))
    }
  }
}

/// Draws labels and legends with system fonts.
enum OverlayFont {
  /// The function that draws an overlay with the SVG library; it returns nil if the library or a font is missing.
  static let draw: PictureOverlay.Drawing = { overlay in
    // The largest size that `render` accepts.
    try? ImageReader.picture(from: Array(overlay.svg.utf8), maximumPixels: 1 << 26)
  }
}

extension FirstPicture {
  /// The plugin's setting for the rule.
  static let setting = Setting(
    "first-picture",
    "First picture of a molecule: standard draws polymers, and molecules in a box of water, as cartoons without water; "
      + "original draws balls and sticks for fewer than 600 atoms with bonds, else spacefilling",
    default: FirstPicture.standard)
}
