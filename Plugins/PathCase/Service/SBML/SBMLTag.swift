/// The supported elements of SBML, named as in the file.
enum SBMLTag: String, CaseIterable {
  // Core.
  case sbml, model, notes, annotation, math
  case listOfFunctionDefinitions, listOfUnitDefinitions, listOfCompartments, listOfSpecies, listOfParameters
  case listOfInitialAssignments, listOfRules, listOfReactions, listOfReactants, listOfProducts, listOfModifiers
  case listOfLocalParameters
  case functionDefinition, unitDefinition, compartment, species, parameter, initialAssignment, assignmentRule, reaction
  case speciesReference, modifierSpeciesReference, stoichiometryMath, kineticLaw, localParameter
  // Flux balance constraints.
  case listOfFluxBounds, fluxBound, listOfObjectives, objective, listOfFluxObjectives, fluxObjective
  case listOfGeneProducts, geneProduct, geneProductAssociation, and, or, geneProductRef
  // Groups.
  case listOfGroups, group, listOfMembers, member
  // Layout.
  case listOfLayouts, layout, listOfCompartmentGlyphs, listOfSpeciesGlyphs, listOfReactionGlyphs, listOfTextGlyphs
  case listOfAdditionalGraphicalObjects, listOfSpeciesReferenceGlyphs, listOfReferenceGlyphs, listOfSubGlyphs
  case compartmentGlyph, speciesGlyph, reactionGlyph, textGlyph, generalGlyph, speciesReferenceGlyph, referenceGlyph
  case graphicalObject, dimensions, boundingBox, position, curve, listOfCurveSegments, curveSegment
  case start, end, basePoint1, basePoint2

  /// The families of elements.
  enum Family {
    case core, flux, groups, layout, other

    init(namespace: String) {
      let base = "http://www.sbml.org/sbml/level"
      guard namespace.hasPrefix(base) else {
        self = .other
        return
      }
      self =
        if ["/fbc/version1", "/fbc/version2", "/fbc/version3"].contains(where: { namespace.hasSuffix($0) }) {
          .flux
        } else if namespace.hasSuffix("/groups/version1") {
          .groups
        } else if namespace.hasSuffix("/layout/version1") {
          .layout
        } else {
          // Level 2 has no '/core' at its end.
          namespace.hasSuffix("/core") || namespace.hasPrefix(base + "2") ? .core : .other
        }
    }
  }

  /// The elements of each family by name.
  static let tables: [Family: [String: SBMLTag]] = {
    var tables: [Family: [String: SBMLTag]] = [:]
    var family = Family.core
    for tag in allCases {
      switch tag {
      case .listOfFluxBounds: family = .flux
      case .listOfGroups: family = .groups
      case .listOfLayouts: family = .layout
      default: break
      }
      tables[family, default: [:]][tag.rawValue] = tag
    }
    // Drafts of the package used this name.
    tables[.flux, default: [:]]["listOfFluxes"] = .listOfFluxObjectives
    // MathML has its own namespace.
    tables[.other] = ["math": .math]
    return tables
  }()
}
