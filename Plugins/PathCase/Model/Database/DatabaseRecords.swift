/// All records of a snapshot as they were read, before references are checked.
///
/// Each list keeps the order of its document.
struct DatabaseRecords: Sendable, Hashable {
  /// The state of the database, in its publisher's own notation.
  var snapshot = ""
  var tissues: [Tissue] = []
  var compartments: [Compartment] = []
  var metabolites: [Metabolite] = []
  var pools: [MetabolitePool] = []
  var processes: [MetabolicProcess] = []
  var pathways: [MetabolicPathway] = []
  /// The activation conditions, stored apart from the pathways until linking joins them.
  var activations: [PathwayActivation] = []
  var ranges: [BiofluidRange] = []
  var layouts: [FrozenLayout] = []
}
