// Package workflows checks the files of .github against the repository.
//
//	workflows/*.yml    each action is pinned by commit and each image by digest, the token has few
//	                   permissions, and each make target exists
//	dependabot.yml     each folder with dependencies is listed
//	CODEOWNERS         each path exists, and each owner is a team of the organisation
//
// Its tests also compare CONTRIBUTING.md with the steps of .ci/run and with the jobs, and try the script that runs
// failed tests again.
//
// A check takes the folder of the repository and returns one sentence for each defect.
package workflows
