// Written by tools/contract from specs/staff/openapi.yaml. Do not edit: run `pnpm generate`.
export interface paths {
    "/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange credentials for a token
         * @description Checks the email and password of an account and returns a bearer token (RFC 6750). Send it as `Authorization: Bearer <token>` with every other request, and log in again when it has expired. Credentials are read from the body alone, as a form or as JSON, of at most 16 KiB; repeated failures are slowed down with 429.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the staff of a company
         * @description Returns the staff of one company as a bare JSON array. Without `$orderby` it is ordered by StaffKey, and ties are always ordered by StaffKey; without `$top` the whole company is returned; nobody matching is an empty array. A collection is null unless `$expand` or `includes` names it, and to an account that is not an admin Tags, TTCMTags, Skillset, Profiles and AvailableProfiles are empty arrays then. The options are applied in the order `$filter`, `$count`, `$orderby`, `$skip`, `$top`, `$expand`, `$select`. A caller that sends `$count=true`, or accepts `application/json;odata.metadata=minimal`, gets the OData envelope instead of the bare array, and may ask for it part by part with `Prefer: maxpagesize=<n>`. Query parameters that are not declared here are 400.
         */
        get: operations["listStaffMembers"];
        put?: never;
        /**
         * Create a person
         * @description Adds a person to the account's company. StaffId is required; FirstName, LastName and Abbrev become `CHANGEME` when they are not sent. When a person with this StaffId exists, the request is 409, or with `UpdateIfExisting` that person is updated with the members sent and the answer is 200. Members that the schema does not name are 400.
         */
        post: operations["createStaffMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        /**
         * Read one person
         * @description Returns one person of the account's company. A key that is unknown, or belongs to another company, is 404; so is a person that `$filter` does not match. The company follows from the account, so there is no companyKey here. A collection is null unless `$expand` or `includes` names it, and to an account that is not an admin Tags, TTCMTags, Skillset, Profiles and AvailableProfiles are empty arrays then. `$orderby` is checked, and has nothing to order.
         */
        get: operations["getStaffMember"];
        /**
         * Change a person
         * @description Changes the members that are sent and leaves all others as they are; null clears a property. Keys, collections and what the server keeps itself cannot be set here. A StaffId that another person of the company has is 409. The answer is the person as changed.
         */
        put: operations["updateStaffMember"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/location": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        /**
         * List a person's locations
         * @description Returns the locations that a person works at, ordered by LocationKey, as a bare array. To an account that is not an admin every `Tags` in it is an empty array.
         */
        get: operations["listStaffLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/location/{location_key}/tag": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the location. Any string is accepted; one that is unknown is 404, never 400.
                 * @example main-campus
                 */
                location_key: components["parameters"]["LocationKey"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Tag a person's location
         * @description Sets a tag on a person's location, named either by category and name or by TagKey, from `effectiveDate` on or from today. Within one category a tag ends where the next begins, the last on 2100-01-01, and one with the same start is replaced. A tag that is there already gets the new date, and the one before it lasts until the next. A tag that the company does not have is 400; a location that the person does not have is 404.
         */
        put: operations["addStaffLocationTag"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/tag": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tag a person
         * @description Adds a tag to a person, named either by category and name or by TagKey, from `effectiveDate` on or from today. The answer is the tag's category with all tags of it that the person has. A tag that the person has already gets the new date. Every tag ends on 2100-01-01, so `effectiveDate` is before that. A tag that the company does not have is 400. Tags are read with the person, by `$expand=Tags`; GET on this path is 405.
         */
        post: operations["addStaffTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/skillset": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/skillset/{task_key}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the task. Any string is accepted; one that is unknown is 404, never 400.
                 * @example b3c9d2a1-77e4-4c1f-8f5e-0a9d6e2c1b43
                 */
                task_key: components["parameters"]["TaskKey"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Set the days on which a person does a task
         * @description Makes a person skilled for a task on the days that are sent and returns the whole entry. Days that are not sent stay as they are. A task that is new to the person is added; a task that the company does not have is 404.
         */
        put: operations["setStaffSkillset"];
        post?: never;
        /**
         * Remove a task from a person
         * @description Takes a task out of a person's skillset, on all days. A task that the person is not skilled for is 404.
         */
        delete: operations["removeStaffSkillset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        /**
         * List a person's profiles
         * @description Returns the profiles that a person has, ordered by ProfileKey, as a bare array. To an account that is not an admin the array is empty.
         */
        get: operations["listStaffProfiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/profile/{profile_key}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the profile. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 9a7e5c31-2f46-4d8b-b0c7-5e1f3a9d8c62
                 */
                profile_key: components["parameters"]["ProfileKey"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Set what a person may do in a profile
         * @description Gives a person a profile, or changes what the person may do in it, and returns the entry. Members that are not sent stay as they are; on a profile that is new to the person IsViewable is true and IsSchedulable false. A profile that the company does not have is 404.
         */
        put: operations["setStaffProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/payModifier": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        /**
         * List a person's pay modifiers
         * @description Returns the pay modifiers of a person, ordered by PayModifierKey, as a bare array. To an account that is not an admin PayModifierTagKeys is an empty array, and LocationTagKey and TaskTagKey are null.
         */
        get: operations["listPayModifiers"];
        put?: never;
        /**
         * Create a pay modifier
         * @description Adds a pay modifier to a person and returns it with its key. One object goes in and one comes out. StartDate may not be after EndDate, and every tag that is named must exist; each fault is listed in the 400.
         */
        post: operations["createPayModifier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/payModifier/{pay_modifier_key}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the pay modifier. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21
                 */
                pay_modifier_key: components["parameters"]["PayModifierKey"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Change a pay modifier
         * @description Changes the members that are sent and leaves all others as they are; `PayModifierTags` replaces the tags as a whole. The rules of creating hold for the outcome.
         */
        put: operations["updatePayModifier"];
        post?: never;
        /**
         * Delete a pay modifier
         * @description Deletes a pay modifier of a person. One that is unknown, or belongs to another person, is 404.
         */
        delete: operations["deletePayModifier"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/badgeId": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        /**
         * List a person's badges
         * @description Returns the badges of a person, ordered by BadgeId, as a bare array.
         */
        get: operations["listBadgeIds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/requestlimit": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        /**
         * List a person's request limits
         * @description Returns the limits on requests that name a person, ordered by Key, as a bare array. ShiftCredits and StaffLimits are null unless they are included.
         */
        get: operations["listRequestLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/manager": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set or clear a person's manager
         * @description Sets the manager by StaffId or by key, or clears it, and returns the person. Exactly one member is sent. A manager who does not exist in the company, or who would come to manage themselves through others, is 400.
         */
        post: operations["setStaffManager"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell that the server answers
         * @description Answers 200 as long as the server answers requests at all, with the version that is running. It looks at nothing else; ask /health/ready whether work can be done. Rate limits do not apply.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell that the process is alive
         * @description For a supervisor that restarts a stuck process. The answer never depends on a database, an upstream or any other process. Rate limits do not apply.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell whether the server can do its work
         * @description For a load balancer that decides where to send requests. Answers 200 when the server can do its work (`ready`, or `degraded` when something is amiss that does not stop it) and 503 when it cannot, naming each dependency and its state. Rate limits do not apply.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read counts and times of requests
         * @description Prometheus text by default, JSON when the Accept header prefers `application/json`. Routes appear under their path templates, never under the paths that callers sent.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the OpenAPI document of this server
         * @description The contract that this server keeps, as one document without outside references. It lists exactly the operations that are served.
         */
        get: operations["getOpenapiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a roster
         * @description A page for people: who is on the staff, with search, tags and skills, and the request that shows the same through this API. One signs in on the page; the page itself holds no data.
         */
        get: operations["getRosterPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/roster/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. A name that the page does not use is 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        /**
         * Load a file that the roster page uses
         * @description Style sheet, script and icon of the roster page. Any other name is 404.
         */
        get: operations["getRosterAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the documentation in Swagger UI
         * @description An HTML page that shows the OpenAPI document of this server in Swagger UI. It loads nothing from another origin.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. A name that the page does not use is 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        /**
         * Load a file that the Swagger UI page uses
         * @description A script or style sheet of the Swagger UI page, served from this server's own copy. Any other name is 404.
         */
        get: operations["getDocsAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/redoc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the documentation in ReDoc
         * @description An HTML page that shows the OpenAPI document of this server in ReDoc. It loads nothing from another origin.
         */
        get: operations["getRedoc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/redoc/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. A name that the page does not use is 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        /**
         * Load a file that the ReDoc page uses
         * @description A script or style sheet of the ReDoc page, served from this server's own copy. Any other name is 404.
         */
        get: operations["getRedocAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The credentials of an account. */
        LoginRequest: {
            /** @description E-mail address, or other name, of the account. */
            email: string;
            /**
             * Format: password
             * @description Password of the account.
             */
            password: string;
        };
        /** @description One fault of a request, with its place - a member of the body, a parameter, or a header. */
        ProblemFault: {
            /**
             * @description JSON Pointer (RFC 6901) to the faulty member of the body; empty for the body as a whole.
             * @example /StaffId
             */
            pointer?: string;
            /**
             * @description Name of the faulty query or path parameter.
             * @example $filter
             */
            parameter?: string;
            /**
             * @description Name of the faulty header.
             * @example Content-Type
             */
            header?: string;
            /**
             * @description What is wrong there.
             * @example must have required property 'StaffId'
             */
            detail: string;
        };
        /** @description An error (RFC 9457, application/problem+json). `code` names the exact cause and `kind` its family; both are stable and meant for programs, `title` and `detail` are meant for people. Further members may be added. */
        Problem: {
            /**
             * Format: uri-reference
             * @description Identifies the problem type: `urn:rostergate:problem:` and `code`, or the address under which IANA registers it.
             * @example urn:rostergate:problem:validation_failed
             */
            type: string;
            /**
             * @description Short summary of the problem type, the same for every occurrence.
             * @example The request breaks the contract
             */
            title: string;
            /**
             * @description The status code of the answer.
             * @example 400
             */
            status: number;
            /**
             * @description What happened this time, and what to do next.
             * @example Correct the parts that errors lists and send the request again.
             */
            detail: string;
            /**
             * Format: uri-reference
             * @description The path of the request, without its query.
             * @example /v2/staffmember
             */
            instance?: string;
            /**
             * @description The exact cause.
             * @example validation_failed
             */
            code: string;
            /**
             * @description The family of the cause: `ValidationError` (400), `AuthenticationError` (401), `AuthorizationError` (403), `NotFoundError` (404), and one for each of the other statuses.
             * @example ValidationError
             */
            kind: string;
            /**
             * @description The value of the answer's `X-Request-Id` header; quote it when asking for help.
             * @example 01JD7Q2Z9V4M8T6C3K5N0R1WXY
             */
            request_id: string;
            /** @description Every fault that was found, each with its place. */
            errors?: components["schemas"]["ProblemFault"][];
        };
        /** @description A token, and how long it lasts. */
        LoginResponse: {
            /** @description The token to send as `Authorization: Bearer <token>`. */
            access_token: string;
            /**
             * @description How to send the token. The scheme may be written in any case.
             * @enum {string}
             */
            token_type: "bearer";
            /** @description Seconds for which the token is valid, as a string. */
            expires_in: string;
        };
        /** @description A problem with the two members that OAuth 2.0 clients look for (RFC 6749, section 5.2). */
        LoginProblem: components["schemas"]["Problem"] & {
            /**
             * @description Short code of the refusal.
             * @example access_denied
             */
            error: string;
            /**
             * @description The refusal in words.
             * @example Invalid email or password
             */
            error_description: string;
        };
        /**
         * @description A date and time of day without an offset, such as `2100-01-01T00:00:00`; it is compared as UTC. Answers always carry the time of day; in a request a plain date means midnight. Null is no date.
         * @example 2024-01-01T00:00:00
         */
        LocalDateTime: string | null;
        /** @description One tag, and the days on which it holds. No property is required because a nested `$select` may leave it out. */
        TagEntry: {
            /** @description Key of the tag. */
            Key?: number;
            /** @description Name of the tag. */
            Name?: string;
            EffectiveFromDate?: components["schemas"]["LocalDateTime"];
            EffectiveToDate?: components["schemas"]["LocalDateTime"];
        };
        /** @description A category of tags, with the tags of that category. No property is required because a nested `$select` may leave it out. */
        StaffTag: {
            /** @description Key of the category. */
            CategoryKey?: number;
            /** @description Name of the category. */
            CategoryName?: string;
            /** @description The tags of this category. */
            Tags?: components["schemas"]["TagEntry"][];
        };
        /** @description A task that a person is skilled for, and on which days. No property is required because a nested `$select` may leave it out. */
        StaffSkillset: {
            /** @description Given name of the person. */
            StaffFirstName?: string;
            /** @description Family name of the person. */
            StaffLastName?: string;
            /** @description Short name of the person. */
            StaffAbbrev?: string;
            /** @description Identifier that the company gives the person. */
            StaffId?: string;
            /** @description Key of the task. */
            TaskKey?: string;
            /** @description Name of the task. */
            TaskName?: string;
            /** @description Short name of the task. */
            TaskAbbrev?: string | null;
            /** @description Identifier that the company gives the task. */
            TaskId?: string | null;
            /** @description Whether the person may do the task on Mondays. */
            IsSkilledMon?: boolean;
            /** @description Whether the person may do the task on Tuesdays. */
            IsSkilledTue?: boolean;
            /** @description Whether the person may do the task on Wednesdays. */
            IsSkilledWed?: boolean;
            /** @description Whether the person may do the task on Thursdays. */
            IsSkilledThu?: boolean;
            /** @description Whether the person may do the task on Fridays. */
            IsSkilledFri?: boolean;
            /** @description Whether the person may do the task on Saturdays. */
            IsSkilledSat?: boolean;
            /** @description Whether the person may do the task on Sundays. */
            IsSkilledSun?: boolean;
            /** @description How often on Mondays, such as Weekly. */
            MonOccurrence?: string | null;
            /** @description How often on Tuesdays, such as Weekly. */
            TueOccurrence?: string | null;
            /** @description How often on Wednesdays, such as Weekly. */
            WedOccurrence?: string | null;
            /** @description How often on Thursdays, such as Weekly. */
            ThuOccurrence?: string | null;
            /** @description How often on Fridays, such as Weekly. */
            FriOccurrence?: string | null;
            /** @description How often on Saturdays, such as Weekly. */
            SatOccurrence?: string | null;
            /** @description How often on Sundays, such as Weekly. */
            SunOccurrence?: string | null;
        };
        /** @description A profile of a person. No property is required because a nested `$select` may leave it out. */
        StaffProfile: {
            /** @description Name of the profile. */
            Name?: string;
            /** @description Key of the profile. */
            ProfileKey?: string;
            /** @description Whether the person may view the profile. True when never set. */
            IsViewable?: boolean;
            /** @description Whether the person may be scheduled in the profile. False when never set. */
            IsSchedulable?: boolean;
        };
        /** @description A badge of a person. No property is required because a nested `$select` may leave it out. */
        BadgeId: {
            /** @description Number of the badge. */
            BadgeId?: string;
            /** @description Group that the badge belongs to. */
            BadgeGroup?: string | null;
        };
        /** @description A person on the staff. Without `$select` every property is present and one that the person lacks is null; with `$select` only the named and the expanded ones are present, which is why none is required. A collection is null unless it is expanded or included. To an account that is not an admin, Tags, TTCMTags, Skillset, Profiles and AvailableProfiles are empty arrays where they are asked for. */
        StaffMemberDetailDto: {
            /** @description Key of the company. */
            CompKey?: string;
            /** @description Key of the person. A plain string even where it looks like a GUID. */
            StaffKey?: string;
            /** @description Identifier that the company gives. It holds more than blanks. */
            StaffId?: string;
            /** @description Identifier within the company's own systems. */
            StaffInternalId?: string | null;
            /** @description Short name for schedules. */
            Abbrev?: string;
            /** @description Given name. */
            FirstName?: string;
            /** @description Family name. */
            LastName?: string;
            /** @description E-mail address. */
            Email?: string | null;
            /** @description Telephone number at home. */
            HomePhone?: string | null;
            /** @description Mobile telephone number. */
            MobilePhone?: string | null;
            /** @description Pager number. */
            Pager?: string | null;
            /** @description First further number. */
            OtherNumber1?: string | null;
            /** @description Second further number. */
            OtherNumber2?: string | null;
            /** @description Third further number. */
            OtherNumber3?: string | null;
            /** @description What OtherNumber1 is. */
            OtherNumberType1?: string | null;
            /** @description What OtherNumber2 is. */
            OtherNumberType2?: string | null;
            /** @description What OtherNumber3 is. */
            OtherNumberType3?: string | null;
            /** @description How the person wants to be reached. */
            ContactInstructions?: string | null;
            /** @description First line of the address. */
            Addr1?: string | null;
            /** @description Second line of the address. */
            Addr2?: string | null;
            /** @description Town of the address. */
            City?: string | null;
            /** @description State or province of the address. */
            State?: string | null;
            /** @description Postal code of the address. */
            Zip?: string | null;
            /** @description Background colour on schedules: 3, 4, 6 or 8 hexadecimal digits, with or without `#`. */
            BgColor?: string | null;
            /** @description Text colour on schedules: 3, 4, 6 or 8 hexadecimal digits, with or without `#`. */
            TextColor?: string | null;
            /** @description Identifier in the billing system. */
            BillSysId?: string | null;
            /** @description Identifier for single sign-on. */
            SsoId?: string | null;
            /** @description Identifier in the medical record system. */
            EmrId?: string | null;
            /** @description Identifier in the resource planning system. */
            ErpId?: string | null;
            /** @description Identifier in the call system. */
            ExtCallSysId?: string | null;
            /** @description Key of the calendar feed. */
            CalSyncKey?: string | null;
            /** @description National Provider Identifier. */
            Npi?: string | null;
            /** @description Name of the manager. It follows from ManagerId; sent back unchanged it is accepted. */
            Manager?: string | null;
            /** @description StaffId of the manager: somebody of the same company, and nobody who answers to this person. */
            ManagerId?: string | null;
            /** @description Class of employment. */
            StaffClassification?: string | null;
            /** @description Key of the kind of staff. */
            StaffTypeKey?: string | null;
            /** @description Key of the kind of billing. */
            BillingTypeKey?: string | null;
            /** @description Name of the profile for signing in. */
            UserProfile?: string | null;
            /** @description Key of the profile for signing in. */
            UserProfileKey?: string | null;
            /** @description Name of the main schedule profile. */
            PrimaryProfile?: string | null;
            /** @description Key of the main schedule profile. */
            PrimaryProfileKey?: string | null;
            /** @description Identifier in payroll. */
            PayrollId?: string | null;
            /** @description Name of the group of pay periods. */
            PayPeriodGroupName?: string | null;
            /** @description Regular hours. */
            RegHours?: number | null;
            /** @description Full-time equivalent. 1 is full time. */
            Fte?: number | null;
            /** @description Units worked on an average day. */
            DailyUnitAverage?: number | null;
            /** @description Whether the person is active. */
            IsActive?: boolean;
            /** @description Whether swaps need no approval. */
            IsAutoApproveSwap?: boolean;
            /** @description Whether the person may be texted from quick links. */
            TextFromQuickLinks?: boolean;
            StartDate?: components["schemas"]["LocalDateTime"];
            EndDate?: components["schemas"]["LocalDateTime"];
            PayrollStartDate?: components["schemas"]["LocalDateTime"];
            PayrollEndDate?: components["schemas"]["LocalDateTime"];
            TimeClockStartDate?: components["schemas"]["LocalDateTime"];
            TimeClockEndDate?: components["schemas"]["LocalDateTime"];
            /**
             * Format: date-time
             * @description When the person is deactivated.
             */
            DeactivationDateUtc?: string | null;
            /** @description Where the person's login comes from. */
            SourceOfLogin?: string | null;
            /**
             * Format: date-time
             * @description When the person was last changed.
             */
            LastModifiedDateUtc?: string;
            /**
             * Format: date-time
             * @description When the last login was.
             */
            UserLastLoginDateTimeUtc?: string | null;
            /** @description The person's tags by category. Included by `Tags`, and can be expanded. */
            Tags?: components["schemas"]["StaffTag"][] | null;
            /** @description The person's time clock tags by category. Included along with `Tags`. */
            TTCMTags?: components["schemas"]["StaffTag"][] | null;
            /** @description The tasks that the person is skilled for. Included by `Skillset`, and can be expanded. */
            Skillset?: components["schemas"]["StaffSkillset"][] | null;
            /** @description The profiles that the person has. Included by `Profiles`, and can be expanded. */
            Profiles?: components["schemas"]["StaffProfile"][] | null;
            /** @description Every profile of the company, with the person's flags or the defaults. Included by `AvailableProfiles`. */
            AvailableProfiles?: components["schemas"]["StaffProfile"][] | null;
            /** @description The person's badges. Included by `BadgeIds` on the single read. */
            BadgeIds?: components["schemas"]["BadgeId"][] | null;
        };
        /** @description The OData envelope of a list (OData JSON format 4.01, section 13). Only sent to a caller that opts in. */
        StaffMemberPage: {
            /** @description Relative address of the metadata of the list. */
            "@odata.context"?: string;
            /** @description How many people match, whatever `$top` and `$skip` say. Present with `$count=true`. */
            "@odata.count"?: number;
            /** @description Relative address of the next part. Absent on the last one. */
            "@odata.nextLink"?: string;
            value: components["schemas"]["StaffMemberDetailDto"][];
        };
        /** @description A new person. FirstName, LastName and Abbrev become `CHANGEME` when they are not sent. No period may end before it starts: not StartDate to EndDate, not PayrollStartDate to PayrollEndDate, not TimeClockStartDate to TimeClockEndDate. */
        StaffMemberCreate: {
            /** @description Identifier that the company gives. It holds more than blanks. */
            StaffId: string;
            /** @description Identifier within the company's own systems. */
            StaffInternalId?: string | null;
            /** @description Short name for schedules. */
            Abbrev?: string;
            /** @description Given name. */
            FirstName?: string;
            /** @description Family name. */
            LastName?: string;
            /** @description E-mail address. */
            Email?: string | null;
            /** @description Telephone number at home. */
            HomePhone?: string | null;
            /** @description Mobile telephone number. */
            MobilePhone?: string | null;
            /** @description Pager number. */
            Pager?: string | null;
            /** @description First further number. */
            OtherNumber1?: string | null;
            /** @description Second further number. */
            OtherNumber2?: string | null;
            /** @description Third further number. */
            OtherNumber3?: string | null;
            /** @description What OtherNumber1 is. */
            OtherNumberType1?: string | null;
            /** @description What OtherNumber2 is. */
            OtherNumberType2?: string | null;
            /** @description What OtherNumber3 is. */
            OtherNumberType3?: string | null;
            /** @description How the person wants to be reached. */
            ContactInstructions?: string | null;
            /** @description First line of the address. */
            Addr1?: string | null;
            /** @description Second line of the address. */
            Addr2?: string | null;
            /** @description Town of the address. */
            City?: string | null;
            /** @description State or province of the address. */
            State?: string | null;
            /** @description Postal code of the address. */
            Zip?: string | null;
            /** @description Background colour on schedules: 3, 4, 6 or 8 hexadecimal digits, with or without `#`. */
            BgColor?: string | null;
            /** @description Text colour on schedules: 3, 4, 6 or 8 hexadecimal digits, with or without `#`. */
            TextColor?: string | null;
            /** @description Identifier in the billing system. */
            BillSysId?: string | null;
            /** @description Identifier for single sign-on. */
            SsoId?: string | null;
            /** @description Identifier in the medical record system. */
            EmrId?: string | null;
            /** @description Identifier in the resource planning system. */
            ErpId?: string | null;
            /** @description Identifier in the call system. */
            ExtCallSysId?: string | null;
            /** @description Key of the calendar feed. */
            CalSyncKey?: string | null;
            /** @description National Provider Identifier. */
            Npi?: string | null;
            /** @description Name of the manager. It follows from ManagerId; sent back unchanged it is accepted. */
            Manager?: string | null;
            /** @description StaffId of the manager: somebody of the same company, and nobody who answers to this person. */
            ManagerId?: string | null;
            /** @description Class of employment. */
            StaffClassification?: string | null;
            /** @description Key of the kind of staff. */
            StaffTypeKey?: string | null;
            /** @description Key of the kind of billing. */
            BillingTypeKey?: string | null;
            /** @description Name of the profile for signing in. */
            UserProfile?: string | null;
            /** @description Key of the profile for signing in. */
            UserProfileKey?: string | null;
            /** @description Name of the main schedule profile. */
            PrimaryProfile?: string | null;
            /** @description Key of the main schedule profile. */
            PrimaryProfileKey?: string | null;
            /** @description Identifier in payroll. */
            PayrollId?: string | null;
            /** @description Name of the group of pay periods. */
            PayPeriodGroupName?: string | null;
            /** @description Regular hours. */
            RegHours?: number | null;
            /** @description Full-time equivalent. 1 is full time. */
            Fte?: number | null;
            /** @description Units worked on an average day. */
            DailyUnitAverage?: number | null;
            /** @description Whether the person is active. */
            IsActive?: boolean;
            /** @description Whether swaps need no approval. */
            IsAutoApproveSwap?: boolean;
            /** @description Whether the person may be texted from quick links. */
            TextFromQuickLinks?: boolean;
            StartDate?: components["schemas"]["LocalDateTime"];
            EndDate?: components["schemas"]["LocalDateTime"];
            PayrollStartDate?: components["schemas"]["LocalDateTime"];
            PayrollEndDate?: components["schemas"]["LocalDateTime"];
            TimeClockStartDate?: components["schemas"]["LocalDateTime"];
            TimeClockEndDate?: components["schemas"]["LocalDateTime"];
            /**
             * Format: date-time
             * @description When the person is deactivated.
             */
            DeactivationDateUtc?: string | null;
            /** @description PIN for the time clock. It is taken in and never given out, filtered by, ordered by, or logged. */
            TimeClockKioskPIN?: string | null;
            /** @description When true and a person of the company has this StaffId, that person is updated with the members sent instead of the request being refused. */
            UpdateIfExisting?: boolean;
        };
        /** @description Changes to a person. A member that is not sent stays as it is; null clears the property. Rules hold for the outcome, what is sent over what is stored: no period may end before it starts (StartDate to EndDate, PayrollStartDate to PayrollEndDate, TimeClockStartDate to TimeClockEndDate). A value that is stored already may always be sent back. */
        StaffMemberUpdate: {
            /** @description Identifier that the company gives. It holds more than blanks. */
            StaffId?: string;
            /** @description Identifier within the company's own systems. */
            StaffInternalId?: string | null;
            /** @description Short name for schedules. */
            Abbrev?: string;
            /** @description Given name. */
            FirstName?: string;
            /** @description Family name. */
            LastName?: string;
            /** @description E-mail address. */
            Email?: string | null;
            /** @description Telephone number at home. */
            HomePhone?: string | null;
            /** @description Mobile telephone number. */
            MobilePhone?: string | null;
            /** @description Pager number. */
            Pager?: string | null;
            /** @description First further number. */
            OtherNumber1?: string | null;
            /** @description Second further number. */
            OtherNumber2?: string | null;
            /** @description Third further number. */
            OtherNumber3?: string | null;
            /** @description What OtherNumber1 is. */
            OtherNumberType1?: string | null;
            /** @description What OtherNumber2 is. */
            OtherNumberType2?: string | null;
            /** @description What OtherNumber3 is. */
            OtherNumberType3?: string | null;
            /** @description How the person wants to be reached. */
            ContactInstructions?: string | null;
            /** @description First line of the address. */
            Addr1?: string | null;
            /** @description Second line of the address. */
            Addr2?: string | null;
            /** @description Town of the address. */
            City?: string | null;
            /** @description State or province of the address. */
            State?: string | null;
            /** @description Postal code of the address. */
            Zip?: string | null;
            /** @description Background colour on schedules: 3, 4, 6 or 8 hexadecimal digits, with or without `#`. */
            BgColor?: string | null;
            /** @description Text colour on schedules: 3, 4, 6 or 8 hexadecimal digits, with or without `#`. */
            TextColor?: string | null;
            /** @description Identifier in the billing system. */
            BillSysId?: string | null;
            /** @description Identifier for single sign-on. */
            SsoId?: string | null;
            /** @description Identifier in the medical record system. */
            EmrId?: string | null;
            /** @description Identifier in the resource planning system. */
            ErpId?: string | null;
            /** @description Identifier in the call system. */
            ExtCallSysId?: string | null;
            /** @description Key of the calendar feed. */
            CalSyncKey?: string | null;
            /** @description National Provider Identifier. */
            Npi?: string | null;
            /** @description Name of the manager. It follows from ManagerId; sent back unchanged it is accepted. */
            Manager?: string | null;
            /** @description StaffId of the manager: somebody of the same company, and nobody who answers to this person. */
            ManagerId?: string | null;
            /** @description Class of employment. */
            StaffClassification?: string | null;
            /** @description Key of the kind of staff. */
            StaffTypeKey?: string | null;
            /** @description Key of the kind of billing. */
            BillingTypeKey?: string | null;
            /** @description Name of the profile for signing in. */
            UserProfile?: string | null;
            /** @description Key of the profile for signing in. */
            UserProfileKey?: string | null;
            /** @description Name of the main schedule profile. */
            PrimaryProfile?: string | null;
            /** @description Key of the main schedule profile. */
            PrimaryProfileKey?: string | null;
            /** @description Identifier in payroll. */
            PayrollId?: string | null;
            /** @description Name of the group of pay periods. */
            PayPeriodGroupName?: string | null;
            /** @description Regular hours. */
            RegHours?: number | null;
            /** @description Full-time equivalent. 1 is full time. */
            Fte?: number | null;
            /** @description Units worked on an average day. */
            DailyUnitAverage?: number | null;
            /** @description Whether the person is active. */
            IsActive?: boolean;
            /** @description Whether swaps need no approval. */
            IsAutoApproveSwap?: boolean;
            /** @description Whether the person may be texted from quick links. */
            TextFromQuickLinks?: boolean;
            StartDate?: components["schemas"]["LocalDateTime"];
            EndDate?: components["schemas"]["LocalDateTime"];
            PayrollStartDate?: components["schemas"]["LocalDateTime"];
            PayrollEndDate?: components["schemas"]["LocalDateTime"];
            TimeClockStartDate?: components["schemas"]["LocalDateTime"];
            TimeClockEndDate?: components["schemas"]["LocalDateTime"];
            /**
             * Format: date-time
             * @description When the person is deactivated.
             */
            DeactivationDateUtc?: string | null;
            /** @description PIN for the time clock. It is taken in and never given out, filtered by, ordered by, or logged. */
            TimeClockKioskPIN?: string | null;
        };
        /** @description The person of a staff location. */
        LocationStaff: {
            /** @description Key of the person. */
            StaffKey: string;
            /** @description Identifier that the company gives the person. */
            Id: string;
            /** @description Given name. */
            FirstName: string;
            /** @description Family name. */
            LastName: string;
            /** @description E-mail address. */
            Email: string | null;
            /** @description The person's tags by category. */
            Tags: components["schemas"]["StaffTag"][];
        };
        /** @description A place of work. */
        Location: {
            /** @description Key of the company. */
            CompanyKey: string;
            /** @description Key of the location. */
            LocationKey: string;
            /** @description Identifier that the company gives the location. */
            Id: string | null;
            /** @description Name of the location. */
            Name: string;
            /** @description Address of the location. */
            Address: string | null;
            /** @description Short name of the location. */
            Abbrev: string | null;
            /** @description Notes on the location. */
            Notes: string | null;
            /** @description Time zone of the location. */
            TimeZone: string | null;
            /** @description Tags of the location, by category. */
            Tags: components["schemas"]["StaffTag"][];
        };
        /** @description A credential for a location. Its members are not part of this contract. */
        LocationCredential: {
            [key: string]: unknown;
        };
        /** @description A location that a person works at. */
        StaffLocation: {
            Staff: components["schemas"]["LocationStaff"];
            Location: components["schemas"]["Location"];
            /** @description Whether the person is credentialed there. */
            IsCredentialed: boolean;
            InactiveDate: components["schemas"]["LocalDateTime"];
            /** @description The person's credentials for the location. */
            Credentials: components["schemas"]["LocationCredential"][];
            /** @description Tags of the person at this location, by category. */
            Tags: components["schemas"]["StaffTag"][];
        };
        /** @description The tag to set, either by its category and name or by its key. A category or a name beside a key must be that of the tag. */
        LocationTagUpdate: {
            /** @description Name of the category. */
            categoryName?: string;
            /** @description Name of the tag in that category. */
            tagName?: string;
            /** @description Key of the tag. */
            TagKey?: number;
            effectiveDate?: components["schemas"]["LocalDateTime"];
        } & ({
            categoryName: unknown;
            tagName: unknown;
        } | {
            TagKey: unknown;
        });
        /** @description The tag to add, either by its category and name or by its key. A category or a name beside a key must be that of the tag. */
        StaffTagCreate: {
            /** @description Name of the category. */
            category?: string;
            /** @description Name of the tag in that category. */
            name?: string;
            /** @description Key of the tag. */
            TagKey?: number;
            effectiveDate?: components["schemas"]["LocalDateTime"];
        } & ({
            category: unknown;
            name: unknown;
        } | {
            TagKey: unknown;
        });
        /** @description The days to change. A member that is not sent stays as it is, or is false and null on a task that is new to the person. */
        SkillsetUpdate: {
            /** @description Whether the person may do the task on Mondays. */
            IsSkilledMon?: boolean;
            /** @description Whether the person may do the task on Tuesdays. */
            IsSkilledTue?: boolean;
            /** @description Whether the person may do the task on Wednesdays. */
            IsSkilledWed?: boolean;
            /** @description Whether the person may do the task on Thursdays. */
            IsSkilledThu?: boolean;
            /** @description Whether the person may do the task on Fridays. */
            IsSkilledFri?: boolean;
            /** @description Whether the person may do the task on Saturdays. */
            IsSkilledSat?: boolean;
            /** @description Whether the person may do the task on Sundays. */
            IsSkilledSun?: boolean;
            /** @description How often on Mondays, such as Weekly. */
            MonOccurrence?: string | null;
            /** @description How often on Tuesdays, such as Weekly. */
            TueOccurrence?: string | null;
            /** @description How often on Wednesdays, such as Weekly. */
            WedOccurrence?: string | null;
            /** @description How often on Thursdays, such as Weekly. */
            ThuOccurrence?: string | null;
            /** @description How often on Fridays, such as Weekly. */
            FriOccurrence?: string | null;
            /** @description How often on Saturdays, such as Weekly. */
            SatOccurrence?: string | null;
            /** @description How often on Sundays, such as Weekly. */
            SunOccurrence?: string | null;
        };
        /** @description An object without members, the answer to a successful deletion. */
        Empty: Record<string, never>;
        /** @description What to change. A member that is not sent stays as it is. */
        ProfileUpdate: {
            /** @description Whether the person may view the profile. True when never set. */
            IsViewable?: boolean;
            /** @description Whether the person may be scheduled in the profile. False when never set. */
            IsSchedulable?: boolean;
        };
        /** @description A tag that a pay modifier carries. */
        PayModifierTag: {
            /** @description Key of the category. */
            CategoryKey: number;
            /** @description Name of the category. */
            CategoryName: string;
            /** @description Key of the tag. */
            TagKey: number;
            /** @description Name of the tag. */
            TagName: string;
        };
        /** @description What changes a person's pay between two dates, for a position, a location or a task. */
        PayModifier: {
            /** @description Key of the pay modifier. */
            PayModifierKey: string;
            /** @description Key of the company. */
            CompanyKey: string;
            /** @description Key of the person. */
            StaffMemberKey: string;
            /** @description Key of the location tag. */
            LocationTagKey: number | null;
            /** @description Key of the task tag. */
            TaskTagKey: number | null;
            /** @description Identifier of the position. */
            PositionId: string | null;
            /** @description Whether this is the person's main position. */
            IsPrimaryPosition: boolean;
            StartDate: components["schemas"]["LocalDateTime"];
            EndDate: components["schemas"]["LocalDateTime"];
            /** @description Whether the past of this modifier is locked. */
            IsHistoricAccessLocked: boolean;
            /** @description The tags that the modifier carries. */
            PayModifierTagKeys: components["schemas"]["PayModifierTag"][];
        };
        /** @description A tag for a pay modifier to carry, by its keys. */
        PayModifierTagReference: {
            /** @description Key of the category. */
            CategoryKey: number;
            /** @description Key of a tag in that category. */
            TagKey: number;
        };
        /** @description A pay modifier to create, or the members of one to change. A location tag or task tag is named by category and name together, or cleared by null for both. Tags must exist, each in the category that is named with it and none twice; in the outcome StartDate may not be after EndDate. */
        PayModifierRequest: {
            /** @description Category of the location tag. */
            LocationTagCategory?: string | null;
            /** @description Name of the location tag. */
            LocationTagName?: string | null;
            /** @description Category of the task tag. */
            TaskTagCategory?: string | null;
            /** @description Name of the task tag. */
            TaskTagName?: string | null;
            /** @description Identifier of the position. */
            PositionId?: string | null;
            /** @description Whether this is the person's main position. */
            IsPrimaryPosition?: boolean;
            StartDate?: components["schemas"]["LocalDateTime"];
            EndDate?: components["schemas"]["LocalDateTime"];
            /** @description Whether the past of this modifier is locked. */
            IsHistoricAccessLocked?: boolean;
            /** @description The tags that the modifier shall carry, instead of those that it has. */
            PayModifierTags?: components["schemas"]["PayModifierTagReference"][];
        };
        /** @description What a request for one shift of a task counts for against a limit. */
        ShiftCredit: {
            /** @description Key of the task. */
            TaskKey: string;
            /** @description Identifier that the company gives the task. */
            TaskId?: string | null;
            /** @description Name of the task. */
            TaskName: string;
            /** @description Short name of the task. */
            TaskAbbreviation?: string | null;
            /** @description Key of the shift of the task. */
            TaskShiftKey?: string | null;
            /** @description Whether the shift counts. */
            IsIncluded: boolean;
            /** @description Day of the shift. */
            DayOfTheWeek: string;
            /** @description What the shift counts for. */
            Credit: number;
        };
        /** @description What a limit allows one person. */
        StaffLimit: {
            /** @description Key of the person. */
            StaffKey: string;
            /** @description Identifier that the company gives the person. */
            StaffId: string;
            /** @description Identifier within the company's own systems. */
            StaffInternalId?: string | null;
            /** @description Given name. */
            StaffFirstName: string;
            /** @description Family name. */
            StaffLastName: string;
            /** @description Short name of the person. */
            StaffAbbreviation?: string | null;
            /** @description Most credit for requests. */
            StaffRequestLimit: number | null;
            /** @description Most credit in all. */
            StaffTotalLimit: number | null;
        };
        /** @description A limit on the requests that staff may make. */
        RequestLimit: {
            /** @description Key of the company. */
            CompanyKey: string;
            /** @description Name of the limit. */
            Name: string;
            /** @description Key of the limit. */
            Key: string;
            StartDate: components["schemas"]["LocalDateTime"];
            EndDate: components["schemas"]["LocalDateTime"];
            /** @description Kind of limit. */
            Type: string | null;
            /** @description Length of the period after which the limit starts anew. */
            RecurringLength: number | null;
            /** @description What the credit of a request is taken from. */
            CreditSource: string | null;
            /** @description What a person is told who asks for more than the limit. */
            ErrorMessage: string | null;
            /** @description Whether the limit is in force. */
            IsActive: boolean;
            /** @description Most requests in all on Mondays. */
            DailyTotalMaxAllowedMon: number | null;
            /** @description Most requests in all on Tuesdays. */
            DailyTotalMaxAllowedTue: number | null;
            /** @description Most requests in all on Wednesdays. */
            DailyTotalMaxAllowedWed: number | null;
            /** @description Most requests in all on Thursdays. */
            DailyTotalMaxAllowedThu: number | null;
            /** @description Most requests in all on Fridays. */
            DailyTotalMaxAllowedFri: number | null;
            /** @description Most requests in all on Saturdays. */
            DailyTotalMaxAllowedSat: number | null;
            /** @description Most requests in all on Sundays. */
            DailyTotalMaxAllowedSun: number | null;
            /** @description The credit of each shift. Null unless `ShiftsCredit` is included. */
            ShiftCredits: components["schemas"]["ShiftCredit"][] | null;
            /** @description The limit of each person. Null unless `StaffLimits` is included. */
            StaffLimits: components["schemas"]["StaffLimit"][] | null;
        };
        /** @description The manager to set, by StaffId or by key, or the order to clear the manager. Exactly one member. */
        StaffManagerUpdate: {
            /** @description StaffId of the manager. */
            ManagerId?: string;
            /** @description StaffKey of the manager. */
            ManagerKey?: string;
            /**
             * @description Clears the manager.
             * @enum {boolean}
             */
            IsClearManagerId?: true;
        };
        /** @description The server answers requests. */
        Health: {
            /** @enum {string} */
            status: "healthy";
            /**
             * Format: date-time
             * @description When the answer was made, in UTC.
             */
            timestamp: string;
            /** @description Version of the running server. */
            version: string;
        };
        /** @description The process is alive. Nothing outside the process has any part in this answer. */
        Liveness: {
            /** @enum {string} */
            status: "alive";
            /**
             * Format: date-time
             * @description When the answer was made, in UTC.
             */
            timestamp: string;
            /** @description Version of the running server. */
            version: string;
        };
        /** @description State of one dependency. Members beside `status` depend on what it is, such as a count or the reason of a failure. */
        ReadinessDependency: {
            /** @enum {string} */
            status: "ready" | "degraded" | "unavailable";
        } & {
            [key: string]: unknown;
        };
        /** @description Whether the server can do its work, and the state of each thing that it depends on. */
        Readiness: {
            /**
             * @description `ready` and `degraded` (working, with something amiss) come with 200; `unavailable` comes with 503.
             * @enum {string}
             */
            status: "ready" | "degraded" | "unavailable";
            /**
             * Format: date-time
             * @description When the answer was made, in UTC.
             */
            timestamp: string;
            /** @description Version of the running server. */
            version: string;
            /** @description Seconds since the process started. */
            uptime_seconds: number;
            /** @description The state of each dependency by its name. */
            dependencies: {
                [key: string]: components["schemas"]["ReadinessDependency"];
            };
        };
        /** @description Counts of one route since the process started. */
        EndpointMetrics: {
            /** @description Requests to the route. */
            count: number;
            /** @description Mean time from the request's arrival to the end of its answer, in seconds. */
            average_time: number;
            /** @description Requests answered with a status of 400 or above. */
            error_count: number;
            error_rate: number;
            /** @description Number of answers by status code. */
            status_codes: {
                [key: string]: number;
            };
        };
        /** @description Counts since the process started. */
        Metrics: {
            /** @description Seconds since the process started. */
            uptime_seconds: number;
            total_requests: number;
            /** @description Requests answered with a status of 400 or above. */
            total_errors: number;
            /** @description total_errors divided by total_requests, 0 when there were none. */
            error_rate: number;
            /** @description Sum of the times of all requests, in seconds. */
            total_time: number;
            /** @description How many requests took at most so long, for rates and percentiles between two readings. Bounds rise; requests above the last one are in total_requests alone. */
            duration_buckets: {
                /** @description The bound in seconds, included. */
                le: number;
                /** @description Requests that took no longer. */
                count: number;
            }[];
            /** @description The counts of each route, under its method and path template such as `GET /health`. */
            endpoints: {
                [key: string]: components["schemas"]["EndpointMetrics"];
            };
        };
        /** @description An OpenAPI document. Its own specification says what else it holds. */
        OpenapiDocument: {
            openapi: string;
            info: {
                [key: string]: unknown;
            };
            paths: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description Any other error in the same form, of the statuses 406, 408, 414, 431, 501 and 503. */
        UnexpectedProblem: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:uri_too_long",
                 *       "title": "The address is too long",
                 *       "status": 414,
                 *       "detail": "Keep the address within 16384 bytes.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "uri_too_long",
                 *       "kind": "UriTooLongError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request breaks the contract: a parameter is missing, malformed or not declared, or the body does not fit its schema. `errors` lists every fault. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:validation_failed",
                 *       "title": "The request breaks the contract",
                 *       "status": 400,
                 *       "detail": "Correct the parts that errors lists and send the request again.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "validation_failed",
                 *       "kind": "ValidationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY",
                 *       "errors": [
                 *         {
                 *           "parameter": "companyKey",
                 *           "detail": "must have required property 'companyKey'"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credentials are wrong. The answer is the same whether the account or only its password is wrong, and has the members that OAuth 2.0 clients look for besides those of a problem. */
        LoginRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:login_failed",
                 *       "title": "The login was refused",
                 *       "status": 401,
                 *       "detail": "Check the email and the password and try again.",
                 *       "instance": "/v2/login",
                 *       "code": "login_failed",
                 *       "kind": "AuthenticationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY",
                 *       "error": "access_denied",
                 *       "error_description": "Invalid email or password"
                 *     }
                 */
                "application/problem+json": components["schemas"]["LoginProblem"];
            };
        };
        /** @description The body is larger than the server accepts. */
        ContentTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:body_too_large",
                 *       "title": "The body is too large",
                 *       "status": 413,
                 *       "detail": "Send a smaller body.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "body_too_large",
                 *       "kind": "PayloadTooLargeError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Content-Type is not one that the operation declares, or the content coding is not supported. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:media_type_unsupported",
                 *       "title": "The media type is not supported",
                 *       "status": 415,
                 *       "detail": "Send the body with a Content-Type that the operation declares.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "media_type_unsupported",
                 *       "kind": "MediaTypeError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The quota is used up. A refused request costs nothing, so that waiting as long as `Retry-After` says is enough. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Seconds to wait before the same request can succeed (RFC 9110, section 10.2.3).
                 * @example 12
                 */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "detail": "Wait as long as Retry-After says, then send the request again.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "limit_exceeded",
                 *       "kind": "RateLimitError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A fault of the server. The answer tells nothing of its inside; the log holds it under the same request id. */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:internal_error",
                 *       "title": "The server failed",
                 *       "status": 500,
                 *       "detail": "Try again later, and quote request_id if it lasts.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "internal_error",
                 *       "kind": "InternalError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server is starting, stopping, overloaded, or without something that it depends on. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:unavailable",
                 *       "title": "The service is not available now",
                 *       "status": 503,
                 *       "detail": "Wait as long as Retry-After says, then send the request again.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "unavailable",
                 *       "kind": "UnavailableError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Credentials are missing, wrong, expired, revoked, or sent in more than one way. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:token_expired",
                 *       "title": "The bearer token has expired",
                 *       "status": 401,
                 *       "detail": "Log in again and send the new token.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "token_expired",
                 *       "kind": "AuthenticationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller is known but may not do this. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:scope_missing",
                 *       "title": "A scope is missing",
                 *       "status": 403,
                 *       "detail": "This operation needs the scope admin. Use an account that has it.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "scope_missing",
                 *       "kind": "AuthorizationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A part of OData that is valid but not supported here, such as `$search`. */
        NotImplemented: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:odata_unsupported",
                 *       "title": "That part of OData is not supported",
                 *       "status": 501,
                 *       "detail": "$search is not supported. Use $filter with contains instead.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "odata_unsupported",
                 *       "kind": "NotImplementedError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The change contradicts what is stored. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:conflict",
                 *       "title": "The request conflicts with what is stored",
                 *       "status": 409,
                 *       "detail": "A person with this StaffId exists already. Choose another StaffId, or set UpdateIfExisting to true.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "conflict",
                 *       "kind": "ConflictError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description What If-Match names is not the version that is stored (RFC 9110, section 13.1.1). Nothing was changed. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:precondition_failed",
                 *       "title": "The resource has changed meanwhile",
                 *       "status": 412,
                 *       "detail": "The person has changed since you read it. Read it again, and repeat the change with the new ETag.",
                 *       "instance": "/v2/staffmember/6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                 *       "code": "precondition_failed",
                 *       "kind": "PreconditionError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller's copy of the person is still good (RFC 9110, section 15.4.5); sent when If-None-Match names it. */
        PersonNotModified: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Nothing is found under this path, or nothing that the caller may know of. The two look the same. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:not_found",
                 *       "title": "There is no such thing",
                 *       "status": 404,
                 *       "detail": "Nothing is found under this path. Check the identifiers in it.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "not_found",
                 *       "kind": "NotFoundError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller's copy is still good (RFC 9110, section 15.4.5); sent when If-None-Match names it. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /**
         * @description Key of the company whose staff to list. Another company than the account's own is 403.
         * @example c0ffee00-1234-4abc-9def-0123456789ab
         */
        CompanyKey: string;
        /**
         * @description Collections to include, separated by commas. It has the same effect as `$expand` and is added to it; a collection that neither names is null. When sent it may not be empty.
         * @example [
         *       "Tags",
         *       "Skillset"
         *     ]
         */
        ListIncludes: ("Skillset" | "Tags" | "Profiles" | "AvailableProfiles")[];
        /**
         * @description Names of the properties to return, separated by commas (OData URL conventions 4.01, section 5.1.4). Only these and the expanded ones are then present. Names are case-sensitive; an unknown one is 400.
         * @example StaffKey,FirstName,LastName
         */
        Select: string;
        /**
         * @description Condition that a person has to meet (OData URL conventions 4.01, section 5.1.1), with operators, functions, and the lambda operators any and all over Tags, Skillset and Profiles. Keys are strings: `StaffKey eq '<key>'` always works, an unquoted GUID too. A quote within a string is doubled. Names of properties are case-sensitive, and an unknown one is 400; names of operators and functions are not. A parameter alias such as `@name` stands for the value of the query parameter of that name (section 5.3), here and in `$orderby` and `$expand`; one without a value, or that is not used, is 400. What an account may not see is empty before the condition is looked at. A result beyond the numbers of its type is null, or INF where the type is Edm.Double.
         * @example LastName eq 'O''Neil' and IsActive eq true
         */
        Filter: string;
        /**
         * @description Properties to order by, separated by commas, each with `asc` or `desc` (OData URL conventions 4.01, section 5.1.5). Null comes first in ascending order. Ties are ordered by StaffKey.
         * @example LastName,FirstName desc
         */
        Orderby: string;
        /**
         * @description Collections to return with each person, separated by commas: Tags, Skillset, Profiles (OData URL conventions 4.01, section 5.1.3). Options of a collection stand in parentheses, separated by semicolons; `$count` among them is 501. TTCMTags comes with Tags. It is added to what `includes` names.
         * @example Tags,Skillset
         */
        Expand: string;
        /**
         * @description Return at most this many people (OData URL conventions 4.01, section 5.1.6). Without it the whole company is returned.
         * @example 50
         */
        Top: number;
        /**
         * @description Leave out this many people from the start of the ordered list (OData URL conventions 4.01, section 5.1.6).
         * @example 100
         */
        Skip: number;
        /**
         * @description When true, the answer is an OData envelope that says how many people match whatever `$top` and `$skip` say (OData URL conventions 4.01, section 5.1.6). Without it, or when false, the answer is a bare array.
         * @example true
         */
        Count: boolean;
        /**
         * @description Where the next part of a list begins. It comes from `@odata.nextLink` and from nowhere else (OData URL conventions 4.01, section 5.1.7), and is good for the query that it came with.
         * @example eyJhZnRlciI6IlMtMDA0MiJ9
         */
        Skiptoken: string;
        /**
         * @description Free-text search (OData URL conventions 4.01, section 5.1.7). It is parsed, so that a malformed one is 400, and a well-formed one is answered with 501, because no search is offered. Use `$filter` with contains instead.
         * @example cardiology
         */
        Search: string;
        /**
         * @description Accepted because existing clients send it. It changes nothing: dates are always written as `2100-01-01T00:00:00`.
         * @example yyyy-MM-dd
         */
        DateFormat: string;
        /**
         * @description Only people whose LastModifiedDateUtc is at or after this moment, read as UTC where it has no offset; a plain date means midnight. A single read of a person who has not changed since is not narrowed by it. To follow all changes of a company, begin with a date in the past, then send the newest LastModifiedDateUtc of the lists received so far: no change is missed. A person who is changed while a list, or its pages, are read comes with the next list.
         * @example 2024-01-01T00:00:00Z
         */
        SinceModifiedTimestamp: string;
        /**
         * @description `maxpagesize=<n>`, or `odata.maxpagesize=<n>`, asks for at most this many people at a time (OData protocol 4.01, section 8.2.8.5). It is honoured in the OData envelope, where `@odata.nextLink` leads to the people that follow; a bare array is never cut. Other preferences are passed over.
         * @example maxpagesize=100
         */
        Prefer: string;
        /**
         * @description Entity tags of the person, from the ETag of an earlier answer, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version; else it is 412 and nothing is changed. Without it the change is made whatever the version.
         * @example "7"
         */
        IfMatch: string;
        /**
         * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
         * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
         */
        StaffKey: string;
        /**
         * @description Collections to include, separated by commas. It has the same effect as `$expand` and is added to it; a collection that neither names is null. When sent it may not be empty.
         * @example [
         *       "Tags",
         *       "BadgeIds"
         *     ]
         */
        ReadIncludes: ("Skillset" | "Tags" | "Profiles" | "AvailableProfiles" | "BadgeIds")[];
        /**
         * @description Entity tags of the copies that the caller has, or `*` (RFC 9110, section 13.1.2). When one of them is the current version the answer is 304 without a body.
         * @example "7"
         */
        IfNoneMatch: string;
        /**
         * @description Key of the location. Any string is accepted; one that is unknown is 404, never 400.
         * @example main-campus
         */
        LocationKey: string;
        /**
         * @description Key of the task. Any string is accepted; one that is unknown is 404, never 400.
         * @example b3c9d2a1-77e4-4c1f-8f5e-0a9d6e2c1b43
         */
        TaskKey: string;
        /**
         * @description Key of the profile. Any string is accepted; one that is unknown is 404, never 400.
         * @example 9a7e5c31-2f46-4d8b-b0c7-5e1f3a9d8c62
         */
        ProfileKey: string;
        /**
         * @description Key of the pay modifier. Any string is accepted; one that is unknown is 404, never 400.
         * @example 41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21
         */
        PayModifierKey: string;
        /**
         * @description Collections to include, separated by commas. `ShiftsCredit` fills ShiftCredits and `StaffLimits` fills StaffLimits; what is not included is null. When sent it may not be empty.
         * @example [
         *       "StaffLimits"
         *     ]
         */
        RequestLimitIncludes: ("ShiftsCredit" | "StaffLimits")[];
        /**
         * @description File name of an asset of the page. A name that the page does not use is 404.
         * @example page.css
         */
        Asset: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifier of this request, the same as in the log line and in `request_id` of a problem. A caller's own `X-Request-Id` is kept when it is well formed.
         * @example 01JD7Q2Z9V4M8T6C3K5N0R1WXY
         */
        RequestId: string;
        /**
         * @description What is left of each quota that applies (draft-ietf-httpapi-ratelimit-headers): `r` requests remain, and in `t` seconds there is room for one more. Absent when limits are switched off, and while nothing true can be said of them.
         * @example "default";r=59;t=60
         */
        RateLimit: string;
        /**
         * @description The quotas that apply (draft-ietf-httpapi-ratelimit-headers), each `q` requests in any `w` seconds: `default` over all routes, `endpoint` beside it where an endpoint has one of its own; `auxiliary` alone for pages, metrics and preflights, which use no client's quota. Absent when `RateLimit` is.
         * @example "default";q=60;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description Seconds to wait before the same request can succeed (RFC 9110, section 10.2.3). Absent where it is not known how long.
         * @example 12
         */
        RetryAfter: number;
        /**
         * @description The challenge that names the scheme to authenticate with (RFC 9110, section 11.6.1).
         * @example Bearer
         */
        WwwAuthenticate: string;
        /**
         * @description Version of the protocol by which the OData envelope is written (OData protocol 4.01, section 8.1.5). Only sent with it.
         * @example 4.01
         */
        ODataVersion: string;
        /**
         * @description Which of the preferences in Prefer was honoured (RFC 7240, section 3). Only sent with the OData envelope.
         * @example maxpagesize=100
         */
        PreferenceApplied: string;
        /**
         * @description Version of what was asked for, as an entity tag (RFC 9110, section 8.8.3). It changes with every change and is sent back in If-Match or If-None-Match.
         * @example "7"
         */
        ETag: string;
        /**
         * @description Path of the person that was created (RFC 9110, section 10.2.2).
         * @example /v2/staffmember/6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
         */
        Location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "scheduler@example.org",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["LoginRequest"];
                /**
                 * @example {
                 *       "email": "scheduler@example.org",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description The credentials are right. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "2b7f0d9c5e1a4836",
                     *       "token_type": "bearer",
                     *       "expires_in": "3600"
                     *     }
                     */
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["LoginRefused"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listStaffMembers: {
        parameters: {
            query: {
                /**
                 * @description Key of the company whose staff to list. Another company than the account's own is 403.
                 * @example c0ffee00-1234-4abc-9def-0123456789ab
                 */
                companyKey: components["parameters"]["CompanyKey"];
                /**
                 * @description Collections to include, separated by commas. It has the same effect as `$expand` and is added to it; a collection that neither names is null. When sent it may not be empty.
                 * @example [
                 *       "Tags",
                 *       "Skillset"
                 *     ]
                 */
                includes?: components["parameters"]["ListIncludes"];
                /**
                 * @description Names of the properties to return, separated by commas (OData URL conventions 4.01, section 5.1.4). Only these and the expanded ones are then present. Names are case-sensitive; an unknown one is 400.
                 * @example StaffKey,FirstName,LastName
                 */
                $select?: components["parameters"]["Select"];
                /**
                 * @description Condition that a person has to meet (OData URL conventions 4.01, section 5.1.1), with operators, functions, and the lambda operators any and all over Tags, Skillset and Profiles. Keys are strings: `StaffKey eq '<key>'` always works, an unquoted GUID too. A quote within a string is doubled. Names of properties are case-sensitive, and an unknown one is 400; names of operators and functions are not. A parameter alias such as `@name` stands for the value of the query parameter of that name (section 5.3), here and in `$orderby` and `$expand`; one without a value, or that is not used, is 400. What an account may not see is empty before the condition is looked at. A result beyond the numbers of its type is null, or INF where the type is Edm.Double.
                 * @example LastName eq 'O''Neil' and IsActive eq true
                 */
                $filter?: components["parameters"]["Filter"];
                /**
                 * @description Properties to order by, separated by commas, each with `asc` or `desc` (OData URL conventions 4.01, section 5.1.5). Null comes first in ascending order. Ties are ordered by StaffKey.
                 * @example LastName,FirstName desc
                 */
                $orderby?: components["parameters"]["Orderby"];
                /**
                 * @description Collections to return with each person, separated by commas: Tags, Skillset, Profiles (OData URL conventions 4.01, section 5.1.3). Options of a collection stand in parentheses, separated by semicolons; `$count` among them is 501. TTCMTags comes with Tags. It is added to what `includes` names.
                 * @example Tags,Skillset
                 */
                $expand?: components["parameters"]["Expand"];
                /**
                 * @description Return at most this many people (OData URL conventions 4.01, section 5.1.6). Without it the whole company is returned.
                 * @example 50
                 */
                $top?: components["parameters"]["Top"];
                /**
                 * @description Leave out this many people from the start of the ordered list (OData URL conventions 4.01, section 5.1.6).
                 * @example 100
                 */
                $skip?: components["parameters"]["Skip"];
                /**
                 * @description When true, the answer is an OData envelope that says how many people match whatever `$top` and `$skip` say (OData URL conventions 4.01, section 5.1.6). Without it, or when false, the answer is a bare array.
                 * @example true
                 */
                $count?: components["parameters"]["Count"];
                /**
                 * @description Where the next part of a list begins. It comes from `@odata.nextLink` and from nowhere else (OData URL conventions 4.01, section 5.1.7), and is good for the query that it came with.
                 * @example eyJhZnRlciI6IlMtMDA0MiJ9
                 */
                $skiptoken?: components["parameters"]["Skiptoken"];
                /**
                 * @description Free-text search (OData URL conventions 4.01, section 5.1.7). It is parsed, so that a malformed one is 400, and a well-formed one is answered with 501, because no search is offered. Use `$filter` with contains instead.
                 * @example cardiology
                 */
                $search?: components["parameters"]["Search"];
                /**
                 * @description Accepted because existing clients send it. It changes nothing: dates are always written as `2100-01-01T00:00:00`.
                 * @example yyyy-MM-dd
                 */
                dateFormat?: components["parameters"]["DateFormat"];
                /**
                 * @description Only people whose LastModifiedDateUtc is at or after this moment, read as UTC where it has no offset; a plain date means midnight. A single read of a person who has not changed since is not narrowed by it. To follow all changes of a company, begin with a date in the past, then send the newest LastModifiedDateUtc of the lists received so far: no change is missed. A person who is changed while a list, or its pages, are read comes with the next list.
                 * @example 2024-01-01T00:00:00Z
                 */
                sinceModifiedTimestamp?: components["parameters"]["SinceModifiedTimestamp"];
            };
            header?: {
                /**
                 * @description `maxpagesize=<n>`, or `odata.maxpagesize=<n>`, asks for at most this many people at a time (OData protocol 4.01, section 8.2.8.5). It is honoured in the OData envelope, where `@odata.nextLink` leads to the people that follow; a bare array is never cut. Other preferences are passed over.
                 * @example maxpagesize=100
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The people who match. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "OData-Version": components["headers"]["ODataVersion"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "CompKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *         "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *         "StaffId": "S-0042",
                     *         "Abbrev": "MON",
                     *         "FirstName": "Máire",
                     *         "LastName": "O'Neil",
                     *         "Email": "maire.oneil@example.org",
                     *         "Npi": null,
                     *         "Fte": 0.8,
                     *         "IsActive": true,
                     *         "StartDate": "2024-01-01T00:00:00",
                     *         "EndDate": "2100-01-01T00:00:00",
                     *         "LastModifiedDateUtc": "2026-11-21T09:30:00Z",
                     *         "Tags": [
                     *           {
                     *             "CategoryKey": 3,
                     *             "CategoryName": "Specialty",
                     *             "Tags": [
                     *               {
                     *                 "Key": 31,
                     *                 "Name": "Cardiology",
                     *                 "EffectiveFromDate": "2024-01-01T00:00:00",
                     *                 "EffectiveToDate": "2100-01-01T00:00:00"
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "TTCMTags": [],
                     *         "Skillset": null,
                     *         "Profiles": null,
                     *         "AvailableProfiles": null,
                     *         "BadgeIds": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StaffMemberDetailDto"][];
                    /**
                     * @example {
                     *       "@odata.count": 1,
                     *       "value": [
                     *         {
                     *           "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *           "LastName": "O'Neil"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json;odata.metadata=minimal": components["schemas"]["StaffMemberPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    createStaffMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier answer, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version; else it is 412 and nothing is changed. Without it the change is made whatever the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "StaffId": "S-0042",
                 *       "FirstName": "Máire",
                 *       "LastName": "O'Neil",
                 *       "Abbrev": "MON",
                 *       "Email": "maire.oneil@example.org",
                 *       "Fte": 0.8,
                 *       "StartDate": "2024-01-01T00:00:00",
                 *       "UpdateIfExisting": true
                 *     }
                 */
                "application/json": components["schemas"]["StaffMemberCreate"];
            };
        };
        responses: {
            /** @description A person with this StaffId existed and was updated. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "CompKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "StaffId": "S-0042",
                     *       "Abbrev": "MON",
                     *       "FirstName": "Máire",
                     *       "LastName": "O'Neil",
                     *       "Email": "maire.oneil@example.org",
                     *       "Npi": null,
                     *       "Fte": 0.8,
                     *       "IsActive": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2100-01-01T00:00:00",
                     *       "LastModifiedDateUtc": "2026-11-21T09:30:00Z",
                     *       "Tags": null,
                     *       "TTCMTags": null,
                     *       "Skillset": null,
                     *       "Profiles": null,
                     *       "AvailableProfiles": null,
                     *       "BadgeIds": null
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMemberDetailDto"];
                };
            };
            /** @description The person was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "CompKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "StaffId": "S-0042",
                     *       "Abbrev": "MON",
                     *       "FirstName": "Máire",
                     *       "LastName": "O'Neil",
                     *       "Email": "maire.oneil@example.org",
                     *       "Npi": null,
                     *       "Fte": 0.8,
                     *       "IsActive": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2100-01-01T00:00:00",
                     *       "LastModifiedDateUtc": "2026-11-21T09:30:00Z",
                     *       "Tags": null,
                     *       "TTCMTags": null,
                     *       "Skillset": null,
                     *       "Profiles": null,
                     *       "AvailableProfiles": null,
                     *       "BadgeIds": null
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMemberDetailDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getStaffMember: {
        parameters: {
            query?: {
                /**
                 * @description Collections to include, separated by commas. It has the same effect as `$expand` and is added to it; a collection that neither names is null. When sent it may not be empty.
                 * @example [
                 *       "Tags",
                 *       "BadgeIds"
                 *     ]
                 */
                includes?: components["parameters"]["ReadIncludes"];
                /**
                 * @description Names of the properties to return, separated by commas (OData URL conventions 4.01, section 5.1.4). Only these and the expanded ones are then present. Names are case-sensitive; an unknown one is 400.
                 * @example StaffKey,FirstName,LastName
                 */
                $select?: components["parameters"]["Select"];
                /**
                 * @description Condition that a person has to meet (OData URL conventions 4.01, section 5.1.1), with operators, functions, and the lambda operators any and all over Tags, Skillset and Profiles. Keys are strings: `StaffKey eq '<key>'` always works, an unquoted GUID too. A quote within a string is doubled. Names of properties are case-sensitive, and an unknown one is 400; names of operators and functions are not. A parameter alias such as `@name` stands for the value of the query parameter of that name (section 5.3), here and in `$orderby` and `$expand`; one without a value, or that is not used, is 400. What an account may not see is empty before the condition is looked at. A result beyond the numbers of its type is null, or INF where the type is Edm.Double.
                 * @example LastName eq 'O''Neil' and IsActive eq true
                 */
                $filter?: components["parameters"]["Filter"];
                /**
                 * @description Properties to order by, separated by commas, each with `asc` or `desc` (OData URL conventions 4.01, section 5.1.5). Null comes first in ascending order. Ties are ordered by StaffKey.
                 * @example LastName,FirstName desc
                 */
                $orderby?: components["parameters"]["Orderby"];
                /**
                 * @description Collections to return with each person, separated by commas: Tags, Skillset, Profiles (OData URL conventions 4.01, section 5.1.3). Options of a collection stand in parentheses, separated by semicolons; `$count` among them is 501. TTCMTags comes with Tags. It is added to what `includes` names.
                 * @example Tags,Skillset
                 */
                $expand?: components["parameters"]["Expand"];
                /**
                 * @description Accepted because existing clients send it. It changes nothing: dates are always written as `2100-01-01T00:00:00`.
                 * @example yyyy-MM-dd
                 */
                dateFormat?: components["parameters"]["DateFormat"];
                /**
                 * @description Only people whose LastModifiedDateUtc is at or after this moment, read as UTC where it has no offset; a plain date means midnight. A single read of a person who has not changed since is not narrowed by it. To follow all changes of a company, begin with a date in the past, then send the newest LastModifiedDateUtc of the lists received so far: no change is missed. A person who is changed while a list, or its pages, are read comes with the next list.
                 * @example 2024-01-01T00:00:00Z
                 */
                sinceModifiedTimestamp?: components["parameters"]["SinceModifiedTimestamp"];
            };
            header?: {
                /**
                 * @description Entity tags of the copies that the caller has, or `*` (RFC 9110, section 13.1.2). When one of them is the current version the answer is 304 without a body.
                 * @example "7"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "CompKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "StaffId": "S-0042",
                     *       "Abbrev": "MON",
                     *       "FirstName": "Máire",
                     *       "LastName": "O'Neil",
                     *       "Email": "maire.oneil@example.org",
                     *       "Npi": null,
                     *       "Fte": 0.8,
                     *       "IsActive": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2100-01-01T00:00:00",
                     *       "LastModifiedDateUtc": "2026-11-21T09:30:00Z",
                     *       "Tags": [
                     *         {
                     *           "CategoryKey": 3,
                     *           "CategoryName": "Specialty",
                     *           "Tags": [
                     *             {
                     *               "Key": 31,
                     *               "Name": "Cardiology",
                     *               "EffectiveFromDate": "2024-01-01T00:00:00",
                     *               "EffectiveToDate": "2100-01-01T00:00:00"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "TTCMTags": [],
                     *       "Skillset": null,
                     *       "Profiles": null,
                     *       "AvailableProfiles": null,
                     *       "BadgeIds": null
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMemberDetailDto"];
                };
            };
            304: components["responses"]["PersonNotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    updateStaffMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier answer, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version; else it is 412 and nothing is changed. Without it the change is made whatever the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Fte": 0.8,
                 *       "MobilePhone": null
                 *     }
                 */
                "application/json": components["schemas"]["StaffMemberUpdate"];
            };
        };
        responses: {
            /** @description The person as changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "CompKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "StaffId": "S-0042",
                     *       "Abbrev": "MON",
                     *       "FirstName": "Máire",
                     *       "LastName": "O'Neil",
                     *       "Email": "maire.oneil@example.org",
                     *       "Npi": null,
                     *       "Fte": 0.8,
                     *       "IsActive": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2100-01-01T00:00:00",
                     *       "LastModifiedDateUtc": "2026-11-21T09:30:00Z",
                     *       "Tags": null,
                     *       "TTCMTags": null,
                     *       "Skillset": null,
                     *       "Profiles": null,
                     *       "AvailableProfiles": null,
                     *       "BadgeIds": null
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMemberDetailDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listStaffLocations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The locations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "Staff": {
                     *           "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *           "Id": "S-0042",
                     *           "FirstName": "Máire",
                     *           "LastName": "O'Neil",
                     *           "Email": "maire.oneil@example.org",
                     *           "Tags": []
                     *         },
                     *         "Location": {
                     *           "CompanyKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *           "LocationKey": "main-campus",
                     *           "Id": "L-01",
                     *           "Name": "Main Campus",
                     *           "Address": "1 Hospital Road",
                     *           "Abbrev": "MAIN",
                     *           "Notes": null,
                     *           "TimeZone": "America/New_York",
                     *           "Tags": []
                     *         },
                     *         "IsCredentialed": true,
                     *         "InactiveDate": null,
                     *         "Credentials": [],
                     *         "Tags": [
                     *           {
                     *             "CategoryKey": 3,
                     *             "CategoryName": "Specialty",
                     *             "Tags": [
                     *               {
                     *                 "Key": 31,
                     *                 "Name": "Cardiology",
                     *                 "EffectiveFromDate": "2024-01-01T00:00:00",
                     *                 "EffectiveToDate": "2100-01-01T00:00:00"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StaffLocation"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    addStaffLocationTag: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier answer, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version; else it is 412 and nothing is changed. Without it the change is made whatever the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the location. Any string is accepted; one that is unknown is 404, never 400.
                 * @example main-campus
                 */
                location_key: components["parameters"]["LocationKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "categoryName": "Specialty",
                 *       "tagName": "Cardiology",
                 *       "effectiveDate": "2024-01-01T00:00:00"
                 *     }
                 */
                "application/json": components["schemas"]["LocationTagUpdate"];
            };
        };
        responses: {
            /** @description The location as changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Staff": {
                     *         "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *         "Id": "S-0042",
                     *         "FirstName": "Máire",
                     *         "LastName": "O'Neil",
                     *         "Email": "maire.oneil@example.org",
                     *         "Tags": []
                     *       },
                     *       "Location": {
                     *         "CompanyKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *         "LocationKey": "main-campus",
                     *         "Id": "L-01",
                     *         "Name": "Main Campus",
                     *         "Address": "1 Hospital Road",
                     *         "Abbrev": "MAIN",
                     *         "Notes": null,
                     *         "TimeZone": "America/New_York",
                     *         "Tags": []
                     *       },
                     *       "IsCredentialed": true,
                     *       "InactiveDate": null,
                     *       "Credentials": [],
                     *       "Tags": [
                     *         {
                     *           "CategoryKey": 3,
                     *           "CategoryName": "Specialty",
                     *           "Tags": [
                     *             {
                     *               "Key": 31,
                     *               "Name": "Cardiology",
                     *               "EffectiveFromDate": "2024-01-01T00:00:00",
                     *               "EffectiveToDate": "2100-01-01T00:00:00"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StaffLocation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    addStaffTag: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier answer, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version; else it is 412 and nothing is changed. Without it the change is made whatever the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "category": "Specialty",
                 *       "name": "Cardiology",
                 *       "effectiveDate": "2024-01-01T00:00:00"
                 *     }
                 */
                "application/json": components["schemas"]["StaffTagCreate"];
            };
        };
        responses: {
            /** @description The category with the tag. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "CategoryKey": 3,
                     *       "CategoryName": "Specialty",
                     *       "Tags": [
                     *         {
                     *           "Key": 31,
                     *           "Name": "Cardiology",
                     *           "EffectiveFromDate": "2024-01-01T00:00:00",
                     *           "EffectiveToDate": "2100-01-01T00:00:00"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StaffTag"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    setStaffSkillset: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier answer, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version; else it is 412 and nothing is changed. Without it the change is made whatever the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the task. Any string is accepted; one that is unknown is 404, never 400.
                 * @example b3c9d2a1-77e4-4c1f-8f5e-0a9d6e2c1b43
                 */
                task_key: components["parameters"]["TaskKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "IsSkilledMon": true,
                 *       "MonOccurrence": "Weekly",
                 *       "IsSkilledSat": false
                 *     }
                 */
                "application/json": components["schemas"]["SkillsetUpdate"];
            };
        };
        responses: {
            /** @description The entry as changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "StaffFirstName": "Máire",
                     *       "StaffLastName": "O'Neil",
                     *       "StaffAbbrev": "MON",
                     *       "StaffId": "S-0042",
                     *       "TaskKey": "b3c9d2a1-77e4-4c1f-8f5e-0a9d6e2c1b43",
                     *       "TaskName": "On call",
                     *       "TaskAbbrev": "OC",
                     *       "TaskId": "T-07",
                     *       "IsSkilledMon": true,
                     *       "IsSkilledTue": true,
                     *       "IsSkilledWed": true,
                     *       "IsSkilledThu": true,
                     *       "IsSkilledFri": true,
                     *       "IsSkilledSat": false,
                     *       "IsSkilledSun": false,
                     *       "MonOccurrence": "Weekly",
                     *       "TueOccurrence": "Weekly",
                     *       "WedOccurrence": "Weekly",
                     *       "ThuOccurrence": "Weekly",
                     *       "FriOccurrence": "Weekly",
                     *       "SatOccurrence": null,
                     *       "SunOccurrence": null
                     *     }
                     */
                    "application/json": components["schemas"]["StaffSkillset"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    removeStaffSkillset: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier answer, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version; else it is 412 and nothing is changed. Without it the change is made whatever the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the task. Any string is accepted; one that is unknown is 404, never 400.
                 * @example b3c9d2a1-77e4-4c1f-8f5e-0a9d6e2c1b43
                 */
                task_key: components["parameters"]["TaskKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task was removed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": components["schemas"]["Empty"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listStaffProfiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profiles. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "Name": "Attending",
                     *         "ProfileKey": "9a7e5c31-2f46-4d8b-b0c7-5e1f3a9d8c62",
                     *         "IsViewable": true,
                     *         "IsSchedulable": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StaffProfile"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    setStaffProfile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier answer, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version; else it is 412 and nothing is changed. Without it the change is made whatever the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the profile. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 9a7e5c31-2f46-4d8b-b0c7-5e1f3a9d8c62
                 */
                profile_key: components["parameters"]["ProfileKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "IsViewable": true,
                 *       "IsSchedulable": false
                 *     }
                 */
                "application/json": components["schemas"]["ProfileUpdate"];
            };
        };
        responses: {
            /** @description The entry as changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Name": "Attending",
                     *       "ProfileKey": "9a7e5c31-2f46-4d8b-b0c7-5e1f3a9d8c62",
                     *       "IsViewable": true,
                     *       "IsSchedulable": false
                     *     }
                     */
                    "application/json": components["schemas"]["StaffProfile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listPayModifiers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pay modifiers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "PayModifierKey": "41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21",
                     *         "CompanyKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *         "StaffMemberKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *         "LocationTagKey": 12,
                     *         "TaskTagKey": null,
                     *         "PositionId": "P-100",
                     *         "IsPrimaryPosition": true,
                     *         "StartDate": "2024-01-01T00:00:00",
                     *         "EndDate": "2024-12-31T00:00:00",
                     *         "PayModifierTagKeys": [
                     *           {
                     *             "CategoryKey": 5,
                     *             "CategoryName": "Pay grade",
                     *             "TagKey": 51,
                     *             "TagName": "Grade 1"
                     *           }
                     *         ],
                     *         "IsHistoricAccessLocked": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PayModifier"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    createPayModifier: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier answer, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version; else it is 412 and nothing is changed. Without it the change is made whatever the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "LocationTagCategory": "Region",
                 *       "LocationTagName": "North",
                 *       "PositionId": "P-100",
                 *       "IsPrimaryPosition": true,
                 *       "StartDate": "2024-01-01T00:00:00",
                 *       "EndDate": "2024-12-31T00:00:00",
                 *       "PayModifierTags": [
                 *         {
                 *           "CategoryKey": 5,
                 *           "TagKey": 51
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PayModifierRequest"];
            };
        };
        responses: {
            /** @description The pay modifier was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "PayModifierKey": "41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21",
                     *       "CompanyKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffMemberKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "LocationTagKey": 12,
                     *       "TaskTagKey": null,
                     *       "PositionId": "P-100",
                     *       "IsPrimaryPosition": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2024-12-31T00:00:00",
                     *       "PayModifierTagKeys": [
                     *         {
                     *           "CategoryKey": 5,
                     *           "CategoryName": "Pay grade",
                     *           "TagKey": 51,
                     *           "TagName": "Grade 1"
                     *         }
                     *       ],
                     *       "IsHistoricAccessLocked": false
                     *     }
                     */
                    "application/json": components["schemas"]["PayModifier"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    updatePayModifier: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier answer, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version; else it is 412 and nothing is changed. Without it the change is made whatever the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the pay modifier. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21
                 */
                pay_modifier_key: components["parameters"]["PayModifierKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "EndDate": "2024-12-31T00:00:00",
                 *       "PayModifierTags": [
                 *         {
                 *           "CategoryKey": 5,
                 *           "TagKey": 51
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PayModifierRequest"];
            };
        };
        responses: {
            /** @description The pay modifier as changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "PayModifierKey": "41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21",
                     *       "CompanyKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffMemberKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "LocationTagKey": 12,
                     *       "TaskTagKey": null,
                     *       "PositionId": "P-100",
                     *       "IsPrimaryPosition": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2024-12-31T00:00:00",
                     *       "PayModifierTagKeys": [
                     *         {
                     *           "CategoryKey": 5,
                     *           "CategoryName": "Pay grade",
                     *           "TagKey": 51,
                     *           "TagName": "Grade 1"
                     *         }
                     *       ],
                     *       "IsHistoricAccessLocked": false
                     *     }
                     */
                    "application/json": components["schemas"]["PayModifier"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    deletePayModifier: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier answer, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version; else it is 412 and nothing is changed. Without it the change is made whatever the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the pay modifier. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21
                 */
                pay_modifier_key: components["parameters"]["PayModifierKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pay modifier was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": components["schemas"]["Empty"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listBadgeIds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The badges. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "BadgeId": "100042",
                     *         "BadgeGroup": "Main Campus"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["BadgeId"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listRequestLimits: {
        parameters: {
            query?: {
                /**
                 * @description Collections to include, separated by commas. `ShiftsCredit` fills ShiftCredits and `StaffLimits` fills StaffLimits; what is not included is null. When sent it may not be empty.
                 * @example [
                 *       "StaffLimits"
                 *     ]
                 */
                includes?: components["parameters"]["RequestLimitIncludes"];
            };
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request limits. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "CompanyKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *         "Name": "Summer leave",
                     *         "Key": "77a1c3d5-2b4e-4f60-9182-a3b4c5d6e7f8",
                     *         "StartDate": "2024-06-01T00:00:00",
                     *         "EndDate": "2024-08-31T00:00:00",
                     *         "Type": "Vacation",
                     *         "RecurringLength": 12,
                     *         "CreditSource": "Task",
                     *         "ErrorMessage": "No more leave can be requested for this day.",
                     *         "IsActive": true,
                     *         "DailyTotalMaxAllowedMon": 3,
                     *         "DailyTotalMaxAllowedTue": 3,
                     *         "DailyTotalMaxAllowedWed": 3,
                     *         "DailyTotalMaxAllowedThu": 3,
                     *         "DailyTotalMaxAllowedFri": 3,
                     *         "DailyTotalMaxAllowedSat": null,
                     *         "DailyTotalMaxAllowedSun": null,
                     *         "ShiftCredits": null,
                     *         "StaffLimits": [
                     *           {
                     *             "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *             "StaffId": "S-0042",
                     *             "StaffInternalId": null,
                     *             "StaffFirstName": "Máire",
                     *             "StaffLastName": "O'Neil",
                     *             "StaffAbbreviation": "MON",
                     *             "StaffRequestLimit": 10,
                     *             "StaffTotalLimit": 15
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RequestLimit"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    setStaffManager: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier answer, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version; else it is 412 and nothing is changed. Without it the change is made whatever the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in answers. Any string is accepted; one that is unknown is 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ManagerId": "S-0007"
                 *     }
                 */
                "application/json": components["schemas"]["StaffManagerUpdate"];
            };
        };
        responses: {
            /** @description The person as changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "CompKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "StaffId": "S-0042",
                     *       "Abbrev": "MON",
                     *       "FirstName": "Máire",
                     *       "LastName": "O'Neil",
                     *       "Email": "maire.oneil@example.org",
                     *       "Npi": null,
                     *       "Fte": 0.8,
                     *       "IsActive": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2100-01-01T00:00:00",
                     *       "LastModifiedDateUtc": "2026-11-21T09:30:00Z",
                     *       "Manager": "Aoife Byrne",
                     *       "ManagerId": "S-0007",
                     *       "Tags": null,
                     *       "TTCMTags": null,
                     *       "Skillset": null,
                     *       "Profiles": null,
                     *       "AvailableProfiles": null,
                     *       "BadgeIds": null
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMemberDetailDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server answers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "healthy",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "version": "0.1.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "alive",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "version": "0.1.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Liveness"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server can do its work. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "version": "0.1.0",
                     *       "uptime_seconds": 3600.5,
                     *       "dependencies": {
                     *         "configuration": {
                     *           "status": "ready"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalServerError"];
            /** @description The server cannot do its work. The response is the report itself. It is a problem only where a wrong key was sent that cannot be counted. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "unavailable",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "version": "0.1.0",
                     *       "uptime_seconds": 3600.5,
                     *       "dependencies": {
                     *         "configuration": {
                     *           "status": "unavailable"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                    /**
                     * @example {
                     *       "type": "urn:rostergate:problem:unavailable",
                     *       "title": "The service is not available now",
                     *       "status": 503,
                     *       "detail": "Requests cannot be counted now. Send the request again in a moment.",
                     *       "instance": "/health/ready",
                     *       "code": "unavailable",
                     *       "kind": "UnavailableError",
                     *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getMetrics: {
        parameters: {
            query?: {
                /**
                 * @description How many routes the JSON form lists, the busiest first; all of them when absent. The Prometheus form always has all.
                 * @example 5
                 */
                routes?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts since the process started. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # HELP process_uptime_seconds Seconds since the process started.
                     *     # TYPE process_uptime_seconds gauge
                     *     process_uptime_seconds 3600.5
                     */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "uptime_seconds": 3600.5,
                     *       "total_requests": 200,
                     *       "total_errors": 10,
                     *       "error_rate": 0.05,
                     *       "total_time": 0.08,
                     *       "duration_buckets": [
                     *         {
                     *           "le": 0.0005,
                     *           "count": 180
                     *         },
                     *         {
                     *           "le": 0.001,
                     *           "count": 200
                     *         }
                     *       ],
                     *       "endpoints": {
                     *         "GET /health": {
                     *           "count": 200,
                     *           "average_time": 0.0004,
                     *           "error_count": 10,
                     *           "error_rate": 0.05,
                     *           "status_codes": {
                     *             "200": 190,
                     *             "400": 10
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Metrics"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getOpenapiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.0.3",
                     *       "info": {
                     *         "title": "Example",
                     *         "version": "0.1.0"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": components["schemas"]["OpenapiDocument"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getRosterPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><html lang="en"><title>Staff Member API</title></html> */
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getRosterAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. A name that the page does not use is 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example :root { color-scheme: light dark; } */
                    "text/css": string;
                    /** @example 'use strict'; */
                    "text/javascript": string;
                    /** @example <svg xmlns="http://www.w3.org/2000/svg"/> */
                    "image/svg+xml": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><html lang="en"><title>Swagger UI</title></html> */
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getDocsAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. A name that the page does not use is 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example 'use strict'; */
                    "text/javascript": string;
                    /** @example body { margin: 0 } */
                    "text/css": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getRedoc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><html lang="en"><title>ReDoc</title></html> */
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getRedocAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. A name that the page does not use is 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example 'use strict'; */
                    "text/javascript": string;
                    /** @example body { margin: 0 } */
                    "text/css": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
}
/** The credentials of an account. */
export type LoginRequest = components['schemas']['LoginRequest'];
/** One fault of a request, with its place - a member of the body, a parameter, or a header. */
export type ProblemFault = components['schemas']['ProblemFault'];
/** An error (RFC 9457, application/problem+json). `code` names the exact cause and `kind` its family; both are stable and meant for programs, `title` and `detail` are meant for people. Further members may be added. */
export type Problem = components['schemas']['Problem'];
/** A token, and how long it lasts. */
export type LoginResponse = components['schemas']['LoginResponse'];
/** A problem with the two members that OAuth 2.0 clients look for (RFC 6749, section 5.2). */
export type LoginProblem = components['schemas']['LoginProblem'];
/** A date and time of day without an offset, such as `2100-01-01T00:00:00`; it is compared as UTC. Answers always carry the time of day; in a request a plain date means midnight. Null is no date. */
export type LocalDateTime = components['schemas']['LocalDateTime'];
/** One tag, and the days on which it holds. No property is required because a nested `$select` may leave it out. */
export type TagEntry = components['schemas']['TagEntry'];
/** A category of tags, with the tags of that category. No property is required because a nested `$select` may leave it out. */
export type StaffTag = components['schemas']['StaffTag'];
/** A task that a person is skilled for, and on which days. No property is required because a nested `$select` may leave it out. */
export type StaffSkillset = components['schemas']['StaffSkillset'];
/** A profile of a person. No property is required because a nested `$select` may leave it out. */
export type StaffProfile = components['schemas']['StaffProfile'];
/** A badge of a person. No property is required because a nested `$select` may leave it out. */
export type BadgeId = components['schemas']['BadgeId'];
/** A person on the staff. Without `$select` every property is present and one that the person lacks is null; with `$select` only the named and the expanded ones are present, which is why none is required. A collection is null unless it is expanded or included. To an account that is not an admin, Tags, TTCMTags, Skillset, Profiles and AvailableProfiles are empty arrays where they are asked for. */
export type StaffMemberDetailDto = components['schemas']['StaffMemberDetailDto'];
/** The OData envelope of a list (OData JSON format 4.01, section 13). Only sent to a caller that opts in. */
export type StaffMemberPage = components['schemas']['StaffMemberPage'];
/** A new person. FirstName, LastName and Abbrev become `CHANGEME` when they are not sent. No period may end before it starts: not StartDate to EndDate, not PayrollStartDate to PayrollEndDate, not TimeClockStartDate to TimeClockEndDate. */
export type StaffMemberCreate = components['schemas']['StaffMemberCreate'];
/** Changes to a person. A member that is not sent stays as it is; null clears the property. Rules hold for the outcome, what is sent over what is stored: no period may end before it starts (StartDate to EndDate, PayrollStartDate to PayrollEndDate, TimeClockStartDate to TimeClockEndDate). A value that is stored already may always be sent back. */
export type StaffMemberUpdate = components['schemas']['StaffMemberUpdate'];
/** The person of a staff location. */
export type LocationStaff = components['schemas']['LocationStaff'];
/** A place of work. */
export type Location = components['schemas']['Location'];
/** A credential for a location. Its members are not part of this contract. */
export type LocationCredential = components['schemas']['LocationCredential'];
/** A location that a person works at. */
export type StaffLocation = components['schemas']['StaffLocation'];
/** The tag to set, either by its category and name or by its key. A category or a name beside a key must be that of the tag. */
export type LocationTagUpdate = components['schemas']['LocationTagUpdate'];
/** The tag to add, either by its category and name or by its key. A category or a name beside a key must be that of the tag. */
export type StaffTagCreate = components['schemas']['StaffTagCreate'];
/** The days to change. A member that is not sent stays as it is, or is false and null on a task that is new to the person. */
export type SkillsetUpdate = components['schemas']['SkillsetUpdate'];
/** An object without members, the answer to a successful deletion. */
export type Empty = components['schemas']['Empty'];
/** What to change. A member that is not sent stays as it is. */
export type ProfileUpdate = components['schemas']['ProfileUpdate'];
/** A tag that a pay modifier carries. */
export type PayModifierTag = components['schemas']['PayModifierTag'];
/** What changes a person's pay between two dates, for a position, a location or a task. */
export type PayModifier = components['schemas']['PayModifier'];
/** A tag for a pay modifier to carry, by its keys. */
export type PayModifierTagReference = components['schemas']['PayModifierTagReference'];
/** A pay modifier to create, or the members of one to change. A location tag or task tag is named by category and name together, or cleared by null for both. Tags must exist, each in the category that is named with it and none twice; in the outcome StartDate may not be after EndDate. */
export type PayModifierRequest = components['schemas']['PayModifierRequest'];
/** What a request for one shift of a task counts for against a limit. */
export type ShiftCredit = components['schemas']['ShiftCredit'];
/** What a limit allows one person. */
export type StaffLimit = components['schemas']['StaffLimit'];
/** A limit on the requests that staff may make. */
export type RequestLimit = components['schemas']['RequestLimit'];
/** The manager to set, by StaffId or by key, or the order to clear the manager. Exactly one member. */
export type StaffManagerUpdate = components['schemas']['StaffManagerUpdate'];
/** The server answers requests. */
export type Health = components['schemas']['Health'];
/** The process is alive. Nothing outside the process has any part in this answer. */
export type Liveness = components['schemas']['Liveness'];
/** State of one dependency. Members beside `status` depend on what it is, such as a count or the reason of a failure. */
export type ReadinessDependency = components['schemas']['ReadinessDependency'];
/** Whether the server can do its work, and the state of each thing that it depends on. */
export type Readiness = components['schemas']['Readiness'];
/** Counts of one route since the process started. */
export type EndpointMetrics = components['schemas']['EndpointMetrics'];
/** Counts since the process started. */
export type Metrics = components['schemas']['Metrics'];
/** An OpenAPI document. Its own specification says what else it holds. */
export type OpenapiDocument = components['schemas']['OpenapiDocument'];
