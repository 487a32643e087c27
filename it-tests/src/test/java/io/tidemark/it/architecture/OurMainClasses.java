package io.tidemark.it.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** What the rules look at: main classes of every module, from directories and from jars. */
final class OurMainClasses implements ImportOption {
  /** Classes that protoc wrote; their names and shape are the contract's, not ours. */
  static final DescribedPredicate<JavaClass> GENERATED =
      JavaClass.Predicates.resideInAnyPackage("io.tidemark.api.*pb..").as("generated classes");

  static final DescribedPredicate<JavaClass> OURS = DescribedPredicate.not(GENERATED);

  @Override
  public boolean includes(Location location) {
    return !location.contains("/test-classes/");
  }
}
